/// A zone's changes of offset, as a file of the IANA database lists them (TZif, RFC 9636).
final class ZoneTable: Sendable {
  private let first: Int
  /// In order of time.
  private let changes: [(at: Int, offset: Int)]
  /// For the time after the last change.
  private let rule: ZoneRule?

  /// `nil` for bytes that are not such a file.
  init?(_ bytes: [UInt8]) {
    guard let header = Header(bytes[...]) else { return nil }
    var data = bytes.dropFirst(Header.byteCount)
    guard header.version >= UInt8(ascii: "2") else {
      guard let block = Block(data, header, timeByteCount: 4) else { return nil }
      (first, changes, rule) = (block.first, block.changes, nil)
      return
    }
    // The first block is for readers of 32 bits.
    data = data.dropFirst(header.byteCount(timeByteCount: 4))
    guard let longHeader = Header(data) else { return nil }
    data = data.dropFirst(Header.byteCount)
    guard let block = Block(data, longHeader, timeByteCount: 8) else { return nil }
    let footer = data.dropFirst(longHeader.byteCount(timeByteCount: 8))
    guard footer.first == .newline, let end = footer.dropFirst().firstIndex(of: .newline) else {
      return nil
    }
    let text = footer[..<end].dropFirst()
    (first, changes) = (block.first, block.changes)
    rule = ZoneRule(text)
    if rule == nil, !text.isEmpty { return nil }
  }

  func offset(at unixSeconds: Int) -> Int {
    guard let last = changes.last else { return rule?.offset(at: unixSeconds) ?? first }
    if unixSeconds >= last.at { return rule?.offset(at: unixSeconds) ?? last.offset }
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].at <= unixSeconds { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? first : changes[low - 1].offset
  }
}

extension ZoneTable {
  private struct Header {
    static let byteCount = 44

    let version: UInt8
    /// The numbers of indicators for UTC and standard time, leap seconds, changes, types, and
    /// letters of names.
    private let counts: [Int]

    var changeCount: Int { counts[3] }
    var typeCount: Int { counts[4] }

    init?(_ bytes: ArraySlice<UInt8>) {
      guard bytes.count >= Self.byteCount, bytes.starts(with: "TZif".utf8) else { return nil }
      version = bytes[bytes.startIndex + 4]
      counts = (0..<6).map { bytes.dropFirst(20 + 4 * $0).bigEndian(byteCount: 4) }
      guard counts.allSatisfy({ 0...bytes.count ~= $0 }), typeCount > 0 else { return nil }
    }

    func byteCount(timeByteCount: Int) -> Int {
      counts[0] + counts[1] + counts[2] * (timeByteCount + 4) + changeCount * (timeByteCount + 1)
        + typeCount * 6 + counts[5]
    }
  }

  private struct Block {
    let first: Int
    var changes: [(at: Int, offset: Int)] = []

    init?(_ data: ArraySlice<UInt8>, _ header: Header, timeByteCount: Int) {
      guard data.count >= header.byteCount(timeByteCount: timeByteCount) else { return nil }
      let types = data.dropFirst(header.changeCount * timeByteCount)
      let offsets = (0..<header.typeCount).map {
        types.dropFirst(header.changeCount + 6 * $0).bigEndian(byteCount: 4)
      }
      guard offsets.allSatisfy({ -86_400 < $0 && $0 < 86_400 }) else { return nil }
      first = offsets[0]
      for (index, type) in types.prefix(header.changeCount).enumerated() {
        let at = data.dropFirst(index * timeByteCount).bigEndian(byteCount: timeByteCount)
        guard offsets.indices.contains(Int(type)), changes.last.map({ $0.at < at }) ?? true else {
          return nil
        }
        changes.append((at, offsets[Int(type)]))
      }
    }
  }
}

extension ArraySlice<UInt8> {
  /// A signed number; the bytes must be there.
  fileprivate func bigEndian(byteCount: Int) -> Int {
    let number = prefix(byteCount).reduce(0) { $0 << 8 | UInt64($1) }
    let shift = 64 - 8 * byteCount
    return Int(Int64(bitPattern: number << shift) >> shift)
  }
}
