/// Reads what is compressed as gzip (RFC 1952) or zlib (RFC 1950), both of which hold deflate
/// blocks (RFC 1951).
///
/// Its time is in proportion to what it reads and writes. What it writes has a limit: a few bytes
/// may stand for gigabytes.
///
/// Only reading is here; bodies that a server compresses are written as stored blocks. `CRC32` is
/// the checksum that gzip ends with. Input that is cut or wrong gives `nil`, never a part of the
/// contents.
package struct Inflate: ~Copyable {
  private struct Broken: Error {}

  private let input: [UInt8]
  private let byteCountMax: Int
  private var position = 0
  /// Bits of the input that have not been used, the next one lowest.
  private var bits: UInt64 = 0
  private var bitCount = 0
  private var output: [UInt8] = []

  private init(_ input: [UInt8], byteCountMax: Int) {
    self.input = input
    self.byteCountMax = byteCountMax
  }

  /// The bytes that a body of this content coding stands for; `nil` for other codings, mutated
  /// data, and more bytes than that.
  package static func decoded(
    _ bytes: [UInt8], coding: String, byteCountMax: Int
  ) -> [UInt8]? {
    do throws(Broken) {
      var reader = Inflate(bytes, byteCountMax: byteCountMax)
      switch coding.lowercased() {
      case "gzip", "x-gzip": try reader.readGzip()
      case "deflate": try reader.readZlib()
      default: return nil
      }
      return reader.output
    } catch {
      return nil
    }
  }

  /// One member after another.
  private mutating func readGzip() throws(Broken) {
    repeat {
      let start = output.count
      guard try readByte() == 0x1F, try readByte() == 0x8B, try readByte() == 8 else {
        throw Broken()
      }
      let flags = try readByte()
      guard flags & 0xE0 == 0 else { throw Broken() }
      try skip(6)
      if flags & 4 != 0 { try skip(Int(try readByte()) | Int(try readByte()) << 8) }
      for flag: UInt8 in [8, 16] where flags & flag != 0 {
        while try readByte() != 0 {}
      }
      if flags & 2 != 0 { try skip(2) }
      try readBlocks()
      guard try readWord() == CRC32.checksum(of: output[start...]),
        try readWord() == UInt32(truncatingIfNeeded: output.count - start)
      else { throw Broken() }
    } while position < input.count
  }

  private mutating func readZlib() throws(Broken) {
    let (method, flags) = (try readByte(), try readByte())
    guard method & 0x0F == 8, flags & 0x20 == 0, (Int(method) << 8 | Int(flags)) % 31 == 0
    else { throw Broken() }
    try readBlocks()
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in output {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
    guard try readWord().byteSwapped == high << 16 | low, position == input.count else {
      throw Broken()
    }
  }

  private mutating func readBlocks() throws(Broken) {
    var isLast = false
    while !isLast {
      isLast = try take(1) == 1
      switch try take(2) {
      case 0: try readStored()
      case 1: try readCompressed(.fixedLengths, .fixedDistances)
      case 2: try readDynamic()
      default: throw Broken()
      }
    }
    // The rest of the byte is padding; whole bytes were not meant for the blocks.
    position -= bitCount / 8
    (bits, bitCount) = (0, 0)
  }

  private mutating func readStored() throws(Broken) {
    position -= bitCount / 8
    (bits, bitCount) = (0, 0)
    let length = Int(try readByte()) | Int(try readByte()) << 8
    let complement = Int(try readByte()) | Int(try readByte()) << 8
    guard length ^ complement == 0xFFFF, length <= input.count - position else { throw Broken() }
    try makeRoom(length)
    output += input[position..<position + length]
    position += length
  }

  private static let lengthOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  private mutating func readDynamic() throws(Broken) {
    let lengthCount = try take(5) + 257
    let distanceCount = try take(5) + 1
    let codeCount = try take(4) + 4
    var codeLengths = [UInt8](repeating: 0, count: 19)
    for place in Self.lengthOrder.prefix(codeCount) {
      codeLengths[place] = UInt8(truncatingIfNeeded: try take(3))
    }
    let code = PrefixCode(codeLengths)
    var lengths: [UInt8] = []
    while lengths.count < lengthCount + distanceCount {
      let symbol = try next(code)
      let (repeated, count): (UInt8, Int)
      switch symbol {
      case 0...15: (repeated, count) = (UInt8(truncatingIfNeeded: symbol), 1)
      case 16:
        guard let last = lengths.last else { throw Broken() }
        (repeated, count) = (last, try take(2) + 3)
      case 17: (repeated, count) = (0, try take(3) + 3)
      default: (repeated, count) = (0, try take(7) + 11)
      }
      lengths.append(contentsOf: repeatElement(repeated, count: count))
    }
    guard lengths.count == lengthCount + distanceCount else { throw Broken() }
    try readCompressed(
      PrefixCode(Array(lengths[..<lengthCount])), PrefixCode(Array(lengths[lengthCount...])))
  }

  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
    3073, 4097, 6145, 8193, 12289, 16385, 24577,
  ]
  private static let distanceBits = [
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13,
    13,
  ]

  private mutating func readCompressed(
    _ lengths: PrefixCode, _ distances: PrefixCode
  ) throws(Broken) {
    while true {
      let symbol = try next(lengths)
      if symbol < 256 {
        try makeRoom(1)
        output.append(UInt8(truncatingIfNeeded: symbol))
        continue
      }
      if symbol == 256 { return }
      let index = symbol - 257
      guard Self.lengthBases.indices.contains(index) else { throw Broken() }
      let length = Self.lengthBases[index] + (try take(Self.lengthBits[index]))
      let distanceIndex = try next(distances)
      guard Self.distanceBases.indices.contains(distanceIndex) else { throw Broken() }
      let distance =
        Self.distanceBases[distanceIndex] + (try take(Self.distanceBits[distanceIndex]))
      guard distance <= output.count else { throw Broken() }
      try makeRoom(length)
      // One by one: it may repeat what it writes.
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
  }

  private func makeRoom(_ count: Int) throws(Broken) {
    if count > byteCountMax - output.count { throw Broken() }
  }

  private mutating func next(_ code: PrefixCode) throws(Broken) -> Int {
    var (value, first, index) = (0, 0, 0)
    for length in 1...PrefixCode.lengthMax {
      value |= try take(1)
      let count = code.counts[length]
      if value - count < first { return code.symbols[index + value - first] }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    throw Broken()
  }

  private mutating func take(_ count: Int) throws(Broken) -> Int {
    while bitCount < count {
      bits |= UInt64(try readByte()) << UInt64(bitCount)
      bitCount += 8
    }
    let value = bits & (1 << UInt64(count) - 1)
    bits >>= UInt64(count)
    bitCount -= count
    return Int(truncatingIfNeeded: value)
  }

  private mutating func readByte() throws(Broken) -> UInt8 {
    guard position < input.count else { throw Broken() }
    defer { position += 1 }
    return input[position]
  }

  private mutating func readWord() throws(Broken) -> UInt32 {
    var word: UInt32 = 0
    for shift: UInt32 in [0, 8, 16, 24] { word |= UInt32(try readByte()) << shift }
    return word
  }

  private mutating func skip(_ count: Int) throws(Broken) {
    guard count <= input.count - position else { throw Broken() }
    position += count
  }
}

/// The symbols of a canonical Huffman code, by length.
private struct PrefixCode {
  static let lengthMax = 15
  static let fixedLengths = PrefixCode(
    [(8, 144), (9, 112), (7, 24), (8, 8)].flatMap { Array(repeating: $0, count: $1) })
  static let fixedDistances = PrefixCode(Array(repeating: 5, count: 30))

  /// How many symbols have codes of each length.
  private(set) var counts = Array(repeating: 0, count: lengthMax + 1)
  let symbols: [Int]

  init(_ lengths: [UInt8]) {
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    var places = [0]
    for length in 1...Self.lengthMax { places.append(places[length - 1] + counts[length]) }
    var symbols = Array(repeating: 0, count: places[Self.lengthMax])
    for (symbol, length) in lengths.enumerated() where length > 0 {
      symbols[places[Int(length) - 1]] = symbol
      places[Int(length) - 1] += 1
    }
    self.symbols = symbols
  }
}
