import UnderstudyCore

/// The layout of a text: its line ends, indentation and spaces.
struct JSONLayout {
  private let storage: JSONStorage
  private var source: [UInt8] { storage.source }

  /// Whether there is more than one line.
  let isInLines: Bool

  init(of storage: JSONStorage) {
    self.storage = storage
    let source = storage.source
    isInLines =
      source.firstIndex(of: .newline).map { !source[$0...].allSatisfy(\.isWhitespace) } ?? false
  }

  /// New bytes and the range they replace.
  struct Insertion {
    let range: Range<Int>
    let bytes: [UInt8]
  }

  /// Inserts a new entry before the one at `position`, or after the last.
  func insertion(
    of value: ArraySlice<UInt8>, key: String?, into container: JSONValue, at position: Int
  ) -> Insertion {
    let spans = JSONSpans(of: container)
    let prefix = key.map { Array(JSONWriter.quoted($0).utf8) + colon(in: container) } ?? []
    guard !spans.entries.isEmpty else {
      return insertion(of: value, prefix: prefix, intoEmpty: container)
    }
    let gap = gap(in: spans)
    if position < spans.entries.count {
      let place = spans.entries[position].lowerBound
      let entry = prefix + adapted(value, toLineOf: place)
      return Insertion(range: place..<place, bytes: entry + [.comma] + gap)
    }
    let last = spans.entries[spans.entries.count - 1]
    let entry = prefix + adapted(value, toLineOf: last.lowerBound)
    let place = last.upperBound
    return Insertion(range: place..<place, bytes: [.comma] + gap + entry)
  }

  /// The value with its further lines indented like the line it is inserted in.
  func adapted(_ value: ArraySlice<UInt8>, toLineOf offset: Int) -> [UInt8] {
    adapted(value, indentation: indentation(ofLineWith: offset))
  }

  private func adapted(_ value: ArraySlice<UInt8>, indentation: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    for byte in value {
      switch byte {
      case .newline: bytes += lineBreak + indentation
      // Strings contain no raw line breaks, so this is part of a line end.
      case .carriageReturn: continue
      default: bytes.append(byte)
      }
    }
    return bytes
  }

  /// An empty container takes its first entry on the same line, unless it or its parent is laid out
  /// in lines.
  private func insertion(
    of value: ArraySlice<UInt8>, prefix: [UInt8], intoEmpty container: JSONValue
  ) -> Insertion {
    let interior = JSONSpans(of: container).interior
    let outer = container.pointer.parent.flatMap { storage.root.value(at: $0) }
    let isInLines =
      source[interior].contains(.newline)
      || outer.map { !JSONSpans(of: $0).isOnOneLine } ?? false
    guard isInLines else {
      return Insertion(
        range: interior, bytes: prefix + adapted(value, toLineOf: interior.lowerBound))
    }
    let outerIndentation = indentation(ofLineWith: container.byteRange.lowerBound)
    let indentation = outerIndentation + indentationUnit
    return Insertion(
      range: interior,
      bytes: lineBreak + indentation + prefix + adapted(value, indentation: indentation)
        + lineBreak + outerIndentation)
  }

  // MARK: - New values

  static let width = 100

  /// A new value in the style of the text.
  ///
  /// - Parameters:
  ///   - column: where its first line begins.
  ///   - offset: of what has the indentation that its further lines begin with.
  ///   - isOnOneLine: whether it has no further lines, however long it is.
  func text(
    of value: JSONValue, column: Int, inLineOf offset: Int, isOnOneLine: Bool = false
  ) -> [UInt8] {
    guard isInLines || isSpaced else { return value.compact }
    let indentation = indentation(ofLineWith: offset)
    let text = value.laidOut(
      width: isInLines && !isOnOneLine ? Self.width - indentation.count : .max,
      column: max(0, column - indentation.count), unit: indentationUnit)
    return adapted(text[...], indentation: indentation)
  }

  /// How far from the beginning of its line, if there are lines.
  func column(of offset: Int) -> Int {
    guard isInLines else { return 0 }
    return offset - (source[..<offset].lastIndex(of: .newline).map { $0 + 1 } ?? 0)
  }

  // MARK: - Habits

  /// The text between a comma and the next entry, as before the last entry of the container.
  func gap(in spans: JSONSpans) -> [UInt8] {
    let entries = spans.entries
    if entries.count > 1 {
      return Array(whitespace(before: entries[entries.count - 1].lowerBound))
    }
    let lead = source[spans.interior.lowerBound..<entries[0].lowerBound]
    if lead.contains(.newline) { return Array(lead) }
    return isSpaced ? [.space] : []
  }

  func whitespace(before offset: Int) -> ArraySlice<UInt8> {
    let start = source[..<offset].lastIndex { !$0.isWhitespace }.map { $0 + 1 } ?? 0
    return source[start..<offset]
  }

  /// The colon of the object's last member, or else of the document's first member.
  func colon(in object: JSONValue) -> [UInt8] {
    var last: JSONMember?
    for member in object.members { last = member }
    guard let member = last ?? storage.firstMember else { return [.colon, .space] }
    return Array(source[member.keyRange.upperBound..<member.value.byteRange.lowerBound])
  }

  /// Whether the text has a space after its first separator; true if it has no separator.
  private var isSpaced: Bool {
    if let member = storage.firstMember {
      return !whitespace(before: member.value.byteRange.lowerBound).isEmpty
    }
    guard let second = storage.firstSecondElement else { return true }
    return !whitespace(before: second.byteRange.lowerBound).isEmpty
  }

  private var lineBreak: [UInt8] {
    guard let newline = source.firstIndex(of: .newline), newline > 0,
      source[newline - 1] == .carriageReturn
    else { return [.newline] }
    return [.carriageReturn, .newline]
  }

  private func indentation(ofLineWith offset: Int) -> [UInt8] {
    let start = source[..<offset].lastIndex(of: .newline).map { $0 + 1 } ?? 0
    return Array(source[start..<offset].prefix { $0 == .space || $0 == .tab })
  }

  /// The indentation of the first indented line.
  private var indentationUnit: [UInt8] {
    var isLineStart = false
    for (offset, byte) in source.enumerated() {
      if isLineStart, byte == .space || byte == .tab {
        let unit = source[offset...].prefix { $0 == .space || $0 == .tab }
        // A line of only spaces says nothing about the layout.
        if let next = source[unit.endIndex...].first, !next.isWhitespace { return Array(unit) }
      }
      isLineStart = byte == .newline
    }
    return [.space, .space]
  }
}

extension JSONSpans {
  fileprivate var isOnOneLine: Bool {
    guard let first = entries.first else { return true }
    return !container.storage.source[interior.lowerBound..<first.lowerBound].contains(.newline)
  }
}

extension JSONStorage {
  fileprivate var root: JSONValue { JSONValue(self, 0) }

  /// The first member of any object in source order.
  fileprivate var firstMember: JSONMember? {
    firstContainer { $0.tag == .object }.map { JSONMember(self, $0 + 2) }
  }

  /// The second element of the first array that has one.
  fileprivate var firstSecondElement: JSONValue? {
    firstContainer { $0.tag == .array && $0.length > 1 }.flatMap { JSONValue(self, $0)[1] }
  }

  private func firstContainer(where isWanted: (TapeWord) -> Bool) -> Int? {
    var index = 0
    let end = tape.index(after: index)
    while index < end {
      let word = tape[index]
      if word.isContainer, word.length > 0, isWanted(word) { return index }
      index += word.isContainer ? 2 : 1
    }
    return nil
  }
}
