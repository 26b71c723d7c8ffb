import UnderstudyContractModel
import UnderstudyCore
import UnderstudyHTTP

/// The parts of a request that conditions and templates ask for, decoded when they do: most
/// requests are never read in full.
///
/// Valid only while the request is served.
final class ArrivedRequest: RequestFields {
  // SAFETY: all ranges are of the head in `bytes`, and the loop keeps both in place until the request
  // is served.
  private let bytes: UnsafeRawBufferPointer
  private let fields: UnsafeBufferPointer<RequestHead.Field>
  private let path: UnsafeRawBufferPointer
  private let query: UnsafeRawBufferPointer
  private let rawBody: UnsafeRawBufferPointer
  private(set) lazy var body = RequestBody(
    Array(rawBody), codings: headerValues("content-encoding"), at: now)
  let now: Moment

  /// - Parameter offset: where the path relative to the upstream's base URL begins.
  init(_ arrival: Arrival, _ head: borrowing RequestHead, pathFrom offset: Int) {
    bytes = arrival.head
    fields = head.fields
    path = UnsafeRawBufferPointer(rebasing: arrival.bytes(head.path)[offset...])
    query = head.query.map { arrival.bytes($0) } ?? UnsafeRawBufferPointer(start: nil, count: 0)
    rawBody = arrival.body
    now = arrival.receivedAt
  }

  func queryValues(_ name: String) -> [String] {
    var values: [String] = []
    var start = 0
    while start < query.count {
      var (end, nameEnd, isPlain) = (start, -1, true)
      while end < query.count, query[end] != UInt8(ascii: "&") {
        switch query[end] {
        case UInt8(ascii: "=") where nameEnd < 0: nameEnd = end
        case UInt8(ascii: "%"), UInt8(ascii: "+"), 0x80...: isPlain = isPlain && nameEnd >= 0
        default: break
        }
        end += 1
      }
      if nameEnd < 0 { nameEnd = end }
      let isMeant =
        isPlain
        ? Self.has(query, start..<nameEnd, name)
        : Self.decoded(query[start..<nameEnd], plusIsSpace: true) == name
      if isMeant, start < end {
        values.append(Self.decoded(query[nameEnd..<end].dropFirst(), plusIsSpace: true))
      }
      start = end + 1
    }
    return values
  }

  var queryNames: [String] {
    query.split(separator: UInt8(ascii: "&")).map { pair in
      Self.decoded(pair.prefix { $0 != UInt8(ascii: "=") }, plusIsSpace: true)
    }
  }

  private static func has(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ text: String
  ) -> Bool {
    let isSame = text.utf8.withContiguousStorageIfAvailable { $0.elementsEqual(bytes[range]) }
    return isSame ?? text.utf8.elementsEqual(bytes[range])
  }

  func headerValues(_ name: String) -> [String] {
    var values: [String] = []
    for field in fields where Int(field.name.count) == name.utf8.count {
      let isMeant = zip(bytes[field.name.offsets], name.utf8).allSatisfy {
        $0 == $1 || $0.isLetter && $0.lowercased == $1
      }
      if isMeant { values.append(bytes.text(field.value)) }
    }
    return values
  }

  func pathValue(_ name: String, in template: PathTemplate) -> String? {
    if template.tail == name {
      // Each segment is decoded by itself.
      guard let start = segmentStart(template.segments.count) else { return "" }
      return path[start...].split(separator: .slash, omittingEmptySubsequences: false)
        .map { Self.decoded($0) }.joined(separator: "/")
    }
    guard path.count > 1, let index = template.segments.firstIndex(of: .parameter(name)),
      let start = segmentStart(index)
    else { return nil }
    return Self.decoded(path[start...].prefix { $0 != .slash })
  }

  private func segmentStart(_ index: Int) -> Int? {
    guard path.count > 1 else { return nil }
    var (start, slashCount) = (1, 0)
    while slashCount < index {
      guard let slash = path[start...].firstIndex(of: .slash) else { return nil }
      start = slash + 1
      slashCount += 1
    }
    return start
  }

  private static func decoded(
    _ bytes: Slice<UnsafeRawBufferPointer>, plusIsSpace: Bool = false
  ) -> String {
    let text = String(decoding: UnsafeRawBufferPointer(rebasing: bytes), as: UTF8.self)
    let isPlain = !bytes.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }
    return isPlain ? text : PercentEncoding.decode(text[...], plusIsSpace: plusIsSpace) ?? text
  }
}
