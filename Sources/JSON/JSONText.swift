import UnderstudyCore

/// JSON to be written, a value or part of one. Members of a literal come in its order, and those
/// that are `nil` are left out:
///
///     let json: JSONText = ["like": "ok", "delay": ["fixed": "2s"], "summary": summary]
package struct JSONText: Hashable, Sendable {
  package private(set) var bytes: [UInt8]

  /// JSON that others have written. Nobody has checked it: who reads the whole says what is wrong.
  package init(unchecked text: String) { bytes = Array(text.utf8) }

  package init(unchecked bytes: [UInt8]) { self.bytes = bytes }

  package static let null = JSONText(unchecked: "null")
  package static let emptyObject: JSONText = [:]

  package static func string(_ text: String) -> Self { written { $0.string(text) } }

  package static func strings(_ texts: [String]) -> Self { .array(texts.map { .string($0) }) }

  /// A single text alone, others as an array.
  package static func oneOrMore(_ texts: [String]) -> Self {
    texts.count == 1 ? .string(texts[0]) : .strings(texts)
  }

  package static func int(_ number: Int) -> Self { written { $0.int(number) } }

  package static func double(_ number: Double) -> Self { written { $0.double(number) } }

  package static func number(_ number: JSONNumber) -> Self { written { $0.number(number) } }

  package static func bool(_ value: Bool) -> Self { written { $0.bool(value) } }

  /// A value as it is, number for number.
  package static func value(_ value: JSONValue) -> Self { JSONText(unchecked: value.compact) }

  package static func array(_ elements: [JSONText]) -> Self {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(elements.reduce(2) { $0 + $1.bytes.count + 1 })
    bytes.append(UInt8(ascii: "["))
    for (number, element) in elements.enumerated() {
      if number > 0 { bytes.append(.comma) }
      bytes += element.bytes
    }
    bytes.append(UInt8(ascii: "]"))
    return JSONText(unchecked: bytes)
  }

  /// Members come in this order; those without a value are left out.
  package static func object(_ members: [(key: String, value: JSONText?)]) -> Self {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(
      members.reduce(2) { $0 + ($1.value.map { $0.bytes.count + 4 } ?? 0) + $1.key.utf8.count })
    bytes.append(UInt8(ascii: "{"))
    for case (let key, let value?) in members {
      if bytes.count > 1 { bytes.append(.comma) }
      JSONWriter.appendQuoted(key, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      bytes += value.bytes
    }
    bytes.append(UInt8(ascii: "}"))
    return JSONText(unchecked: bytes)
  }

  private static func written(_ write: (inout JSONWriter) -> Void) -> Self {
    var writer = JSONWriter()
    write(&writer)
    return JSONText(unchecked: writer.bytes)
  }

  /// The value, to be read again.
  package var root: JSONValue? { (try? JSONDocument(parsing: bytes))?.root }

  /// The value in lines for people, without a line break at the end.
  package func laidOut(width: Int = 100) -> String {
    root?.laidOut(width: width) ?? String(decoding: bytes, as: UTF8.self)
  }

  /// As a file.
  package var fileBytes: [UInt8] { Array("\(laidOut())\n".utf8) }
}

extension JSONText: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral text: String) { self = .string(text) }

  package init(integerLiteral number: Int) { self = .int(number) }

  package init(booleanLiteral value: Bool) { self = .bool(value) }

  package init(arrayLiteral elements: JSONText...) { self = .array(elements) }

  package init(dictionaryLiteral members: (String, JSONText?)...) { self = .object(members) }
}
