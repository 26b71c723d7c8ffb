extension JSONParser {
  /// The number of bytes of the scalar that starts here with a non-ASCII byte.
  ///
  /// Strict as in Unicode's table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF.
  static func lengthOfScalar(at p: Pointer, in text: Text) throws(Stop) -> Int {
    // A string in a container is followed by at least two bytes.
    guard p <= text.wordLimit + 4 else { throw Stop(.encoding, at: p) }
    let bytes = p.quarter
    switch p.pointee {
    case 0xC2...0xDF where bytes & 0xC000 == 0x8000:
      return 2
    case 0xE0...0xEF where bytes & 0xC0_C000 == 0x80_8000:
      let scalar = (bytes & 0x0F) << 12 | (bytes & 0x3F00) >> 2 | (bytes & 0x3F_0000) >> 16
      if scalar >= 0x800, scalar & 0xF800 != 0xD800 { return 3 }
    case 0xF0...0xF4 where bytes & 0xC0C0_C000 == 0x8080_8000:
      let top = (bytes & 0x07) << 2 | (bytes & 0x3000) >> 12
      if 1...16 ~= top { return 4 }
    default: break
    }
    throw Stop(.encoding, at: p)
  }
}
