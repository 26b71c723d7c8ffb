import UnderstudyContractModel
import UnderstudyCore
import UnderstudyHTTP

/// The parts of a request that conditions and templates ask for, decoded when they do: most
/// requests are never read in full.
///
/// Valid only while the request is answered.
final class ArrivedRequest: RequestFields {
  // SAFETY: all ranges are of the head in `bytes`, and the loop keeps both in place until the request
  // is answered.
  private let bytes: UnsafeRawBufferPointer
  private let fields: UnsafeBufferPointer<RequestHead.Field>
  private let path: UnsafeRawBufferPointer
  private let query: UnsafeRawBufferPointer
  private let rawBody: UnsafeRawBufferPointer
  private(set) lazy var body = RequestBody(Array(rawBody))

  /// - Parameter offset: where the path relative to the upstream's base URL begins.
  init(_ arrival: Arrival, _ head: borrowing RequestHead, pathFrom offset: Int) {
    bytes = arrival.head
    fields = head.fields
    path = UnsafeRawBufferPointer(rebasing: arrival.bytes(head.path)[offset...])
    query = head.query.map { arrival.bytes($0) } ?? UnsafeRawBufferPointer(start: nil, count: 0)
    rawBody = arrival.body
  }

  func queryValues(_ name: String) -> [String] {
    query.split(separator: UInt8(ascii: "&")).compactMap { pair in
      let nameEnd = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      guard Self.isName(name, pair[..<nameEnd]) else { return nil }
      return Self.decoded(pair[nameEnd...].dropFirst(), plusIsSpace: true)
    }
  }

  private static func isName(_ name: String, _ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
    let isPlain = bytes.allSatisfy {
      $0 < 0x80 && $0 != UInt8(ascii: "%") && $0 != UInt8(ascii: "+")
    }
    return isPlain
      ? name.utf8.elementsEqual(bytes) : decoded(bytes, plusIsSpace: true) == name
  }

  func headerValues(_ name: String) -> [String] {
    fields.compactMap { field in
      let bytes = UnsafeRawBufferPointer(rebasing: bytes[field.name.offsets])
      let isMeant =
        bytes.count == name.utf8.count
        && zip(bytes, name.utf8).allSatisfy { $0 == $1 || $0.isLetter && $0.lowercased == $1 }
      return isMeant ? self.bytes.text(field.value) : nil
    }
  }

  func pathValue(_ name: String, in template: PathTemplate) -> String? {
    guard path.count > 1, let index = template.segments.firstIndex(of: .parameter(name)) else {
      return nil
    }
    var (start, slashCount) = (1, 0)
    while slashCount < index {
      guard let slash = path[start...].firstIndex(of: .slash) else { return nil }
      start = slash + 1
      slashCount += 1
    }
    return Self.decoded(path[start...].prefix { $0 != .slash })
  }

  private static func decoded(
    _ bytes: Slice<UnsafeRawBufferPointer>, plusIsSpace: Bool = false
  ) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    return PercentEncoding.decode(text[...], plusIsSpace: plusIsSpace) ?? text
  }
}
