package import UnderstudyCore

/// One value of a document: a reference and an index, cheap to copy. It retains the document.
package struct JSONValue: Sendable {
  /// The six kinds of values that JSON has.
  package enum Kind: String, Sendable, CaseIterable {
    case null, boolean, number, string, array, object
  }

  let storage: JSONStorage
  /// The index of the value in the tape.
  let index: Int

  init(_ storage: JSONStorage, _ index: Int) {
    self.storage = storage
    self.index = index
  }

  var word: TapeWord { storage.tape[index] }

  package var kind: Kind {
    switch word.tag {
    case .null: .null
    case .true, .false: .boolean
    case .integer, .decimal: .number
    case .string, .escapedString: .string
    case .array: .array
    case .object: .object
    }
  }

  package var document: JSONDocument { JSONDocument(storage: storage) }

  /// The value's bytes in the source, quotes and brackets included.
  package var byteRange: Range<Int> {
    let word = word
    let length =
      switch word.tag {
      case .array, .object: storage.tape.endOffset(ofContainer: index) - word.offset
      case .string, .escapedString: word.length + 2
      default: word.length
      }
    return word.offset..<word.offset + length
  }

  package var position: SourcePosition { storage.position(ofByte: word.offset) }

  package var isNull: Bool { word.tag == .null }

  package var bool: Bool? {
    switch word.tag {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The content of a string, escapes resolved.
  package var string: String? {
    word.isString ? storage.text(ofString: index) : nil
  }

  package var number: JSONNumber? {
    kind == .number ? JSONNumber(unchecked: sourceText) : nil
  }

  /// The value of a number that is exactly an `Int`, in any notation: `1.0` and `1e2` count.
  package var int: Int? {
    switch word.tag {
    case .integer, .decimal: NumberText.int(in: storage.source, byteRange)
    default: nil
    }
  }

  /// The number of elements or members; 0 for scalars.
  package var count: Int { word.isContainer ? word.length : 0 }

  /// At least the number of values in it, itself included.
  package var valueCountMax: Int { storage.tape.index(after: index) - index }

  /// The value as written in the source.
  var sourceText: String { String(decoding: storage.source[byteRange], as: UTF8.self) }

  /// Source tokens without the whitespace between them.
  package var compact: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(byteRange.count)
    writeCompact(to: &bytes)
    return bytes
  }

  /// Appends the source tokens without the whitespace between them.
  func writeCompact(to bytes: inout [UInt8]) {
    let range = byteRange
    guard word.isContainer else {
      bytes += storage.source[range]
      return
    }
    let text = storage.source[...]
    bytes.append(addingCapacity: range.count) { output in
      let source = text.span
      var next = range.lowerBound
      while next < range.upperBound {
        let byte = source[next]
        next &+= 1
        if byte.isWhitespace { continue }
        output.append(byte)
        guard byte == .quote else { continue }
        // The parser has found the end of the string.
        while source[next] != .quote {
          output.append(source[next])
          if source[next] == .backslash {
            next &+= 1
            output.append(source[next])
          }
          next &+= 1
        }
        output.append(.quote)
        next &+= 1
      }
    }
  }

  /// A short description of the value for messages: `string "abc"`, `object with 3 members`,
  /// `null`.
  package var summary: String {
    switch kind {
    case .null, .boolean: sourceText
    case .number: "number \(Self.cut(sourceText))"
    case .string: "string \((string ?? "").quotedAndCut)"
    case .array: Self.arraySummary(count: count)
    case .object: Self.objectSummary(count: count)
    }
  }

  static func arraySummary(count: Int) -> String {
    count == 1 ? "array with 1 element" : "array with \(count) elements"
  }

  static func objectSummary(count: Int) -> String {
    count == 1 ? "object with 1 member" : "object with \(count) members"
  }

  fileprivate static let summaryLengthMax = 60

  private static func cut(_ text: String) -> String {
    text.utf8.count <= summaryLengthMax ? text : text.prefix(summaryLengthMax) + "…"
  }
}

extension String {
  /// In quotes, and cut to a length that suits a message. Cut by scalars, since a single character
  /// may be a megabyte of accents.
  package var quotedAndCut: String {
    let start = unicodeScalars.prefix(JSONValue.summaryLengthMax)
    let quoted = JSONWriter.quoted(String(start))
    return start.endIndex == endIndex ? quoted : quoted + "…"
  }
}

extension JSONValue {
  /// `null` in a document of its own.
  package static let null = JSONValue(.null, 0)
}

extension JSONDocument {
  package var root: JSONValue { JSONValue(storage, 0) }
}
