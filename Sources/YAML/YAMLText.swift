import UnderstudyCore
import UnderstudyJSON

/// The bytes of a stream, checked once so that no scanner has to: UTF-8 without control characters,
/// and followed by zeros, which end every scan.
struct YAMLText {
  static let paddingCount = 32

  /// A carriage return is only found before a line feed; others have
  /// become line feeds.
  private(set) var bytes: [UInt8]
  let count: Int

  init(_ source: ArraySlice<UInt8>, limits: YAMLLimits) throws(Complaint) {
    guard source.count <= limits.bytesAllowed else {
      throw Complaint(
        .tooLarge, at: 0,
        "found \(source.count) bytes, expected at most \(limits.bytesAllowed)")
    }
    try Self.checkEncoding(of: source)
    bytes = []
    bytes.reserveCapacity(source.count + Self.paddingCount)
    bytes += source
    count = bytes.count
    let found = Self.survey(bytes)
    if found.hasNonASCII { try checkUTF8() }
    if found.hasControl { try replaceCarriageReturns() }
    bytes += repeatElement(0, count: Self.paddingCount)
  }

  private static func checkEncoding(of source: ArraySlice<UInt8>) throws(Complaint) {
    // An ASCII character in UTF-16 or UTF-32 has a zero beside it.
    let isOther =
      source.starts(with: [0xFF, 0xFE]) || source.starts(with: [0xFE, 0xFF])
      || source.prefix(2).filter { $0 == 0 }.count == 1 && source.count > 1
      || source.starts(with: [0, 0, 0xFE, 0xFF]) || source.starts(with: [0, 0, 0])
    if isOther {
      throw Complaint(
        .invalidUTF8, at: 0, "found text in UTF-16 or UTF-32, expected UTF-8",
        fix: "save the file as UTF-8")
    }
  }

  private static func survey(_ bytes: [UInt8]) -> (hasNonASCII: Bool, hasControl: Bool) {
    bytes.withUnsafeBytes { buffer in
      var (high, low) = (SIMD16<UInt8>(), SIMDMask<SIMD16<Int8>>())
      var place = 0
      // SAFETY: sixteen bytes are read only where there are as many.
      while place + 16 <= buffer.count {
        let vector = buffer.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
        high |= vector
        low .|= isControl(vector)
        place += 16
      }
      var hasControl = low.isAnySet
      var all = high.max()
      for byte in buffer[place...] {
        all |= byte
        if byte < .space, byte != .newline, byte != .tab { hasControl = true }
      }
      return (all >= 0x80, hasControl)
    }
  }

  /// Tabs and line feeds aside.
  private static func isControl(_ bytes: SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>> {
    let spaces = SIMD16<UInt8>(repeating: .space)
    return (bytes .< spaces) .& (bytes .!= SIMD16<UInt8>(repeating: .newline))
      .& (bytes .!= SIMD16<UInt8>(repeating: .tab))
  }

  private func checkUTF8() throws(Complaint) {
    guard String(validating: bytes, as: UTF8.self) == nil else { return }
    var (parser, rest, offset) = (UTF8.ForwardParser(), bytes.makeIterator(), 0)
    while case .valid(let scalar) = parser.parseScalar(from: &rest) { offset += scalar.count }
    let digits = String(bytes[offset], radix: 16, uppercase: true)
    throw Complaint(
      .invalidUTF8, at: offset,
      "found byte 0x\(digits), which is not UTF-8 here, expected text in UTF-8",
      fix: "save the text as UTF-8")
  }

  private mutating func replaceCarriageReturns() throws(Complaint) {
    for place in bytes.indices where bytes[place] < .space {
      switch bytes[place] {
      case .newline, .tab: break
      case .carriageReturn:
        if place + 1 == count || bytes[place + 1] != .newline { bytes[place] = .newline }
      case let byte:
        let digits = String(byte, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: 4 - digits.count) + digits
        throw Complaint(
          .controlCharacter, at: place,
          "found the control character \(code), expected text that can be seen",
          fix: "remove it, or write it in double quotes as \\u" + code.dropFirst(2))
      }
    }
  }
}
