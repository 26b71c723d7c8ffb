/// A hash of texts, the same on every machine and in every run: FNV-1a.
package struct Fingerprint: Sendable {
  package private(set) var value: UInt64

  package init(seed: UInt64 = 0) {
    value = 0xCBF2_9CE4_8422_2325 ^ seed
  }

  package mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  /// Sixteen hexadecimal digits.
  package var hex: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
