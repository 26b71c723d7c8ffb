import UnderstudyCore

/// JSON to be written, a value or part of one.
package struct JSONText: Hashable, Sendable {
  package private(set) var bytes: [UInt8]

  package static let null = JSONText(bytes: Array("null".utf8))
  package static let emptyObject = JSONText.object([])

  package static func string(_ text: String) -> Self { written { $0.string(text) } }

  package static func strings(_ texts: [String]) -> Self { .array(texts.map { .string($0) }) }

  package static func int(_ number: Int) -> Self { written { $0.int(number) } }

  package static func double(_ number: Double) -> Self { written { $0.double(number) } }

  package static func number(_ number: JSONNumber) -> Self { written { $0.number(number) } }

  package static func bool(_ value: Bool) -> Self { written { $0.bool(value) } }

  /// The same value, number for number.
  package static func value(_ value: JSONValue) -> Self { JSONText(bytes: value.compact) }

  package static func array(_ elements: [JSONText]) -> Self {
    JSONText(bytes: joined(elements.map(\.bytes), "[", "]"))
  }

  /// Members come in this order; those without a value are left out.
  package static func object(_ members: [(key: String, value: JSONText?)]) -> Self {
    let written = members.compactMap { key, value in
      value.map { Self.string(key).bytes + ":".utf8 + $0.bytes }
    }
    return JSONText(bytes: joined(written, "{", "}"))
  }

  private static func joined(_ parts: [[UInt8]], _ open: String, _ close: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(parts.reduce(2) { $0 + $1.count + 1 })
    bytes += open.utf8
    for (number, part) in parts.enumerated() {
      if number > 0 { bytes.append(.comma) }
      bytes += part
    }
    bytes += close.utf8
    return bytes
  }

  private static func written(_ write: (inout JSONWriter) -> Void) -> Self {
    var writer = JSONWriter()
    write(&writer)
    return JSONText(bytes: writer.bytes)
  }

  /// The value, to be read again.
  package var root: JSONValue? { (try? JSONDocument(parsing: bytes))?.root }
}
