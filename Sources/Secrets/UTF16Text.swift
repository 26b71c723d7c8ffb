import UnderstudyCore

extension [UInt8] {
  /// The text of a body in UTF-16, as UTF-8: by its byte order mark, by its type, or by the zeros
  /// beside its first letters.
  func textOfUTF16(_ contentType: String) -> [UInt8]? {
    guard count >= 2 else { return nil }
    let isLittle: Bool
    switch (self[0], self[1]) {
    case (0xFF, 0xFE): isLittle = true
    case (0xFE, 0xFF): isLittle = false
    default:
      let beginsLittle = self[0] != 0 && self[1] == 0 && (count < 4 || self[3] == 0)
      let beginsBig = self[0] == 0 && self[1] != 0 && (count < 4 || self[2] == 0)
      let type = contentType.lowercased()
      guard
        beginsLittle || beginsBig || type.utf8.contains(bytes: "utf-16".utf8)
          || type.utf8.contains(bytes: "utf16".utf8)
      else { return nil }
      isLittle = beginsLittle || type.utf8.contains(bytes: "16le".utf8)
    }
    let (high, low) = isLittle ? (1, 0) : (0, 1)
    let units = stride(from: 0, to: count - 1, by: 2).map { place -> UInt16 in
      UInt16(self[place + high]) << 8 | UInt16(self[place + low])
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
