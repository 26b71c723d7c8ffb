import UnderstudyCore

/// What stands in a text for something else.
enum TextEscape {
  /// What an escape of a URL, of HTML or of quoted-printable can mean, and where it ends: by
  /// itself, or as an escape of an escape. Nothing for a line break that only keeps lines short.
  static func meanings(_ text: [UInt8], _ start: Int) -> [(bytes: [UInt8], end: Int)] {
    switch text[start] {
    case .percent:
      return places(text, from: start, past: percentAgain).compactMap { place in
        hex(text, place + 1, 2).map { ([UInt8(truncatingIfNeeded: $0)], place + 3) }
      }
    case .equals:
      for lineEnd in lineEnds where text.holds(lineEnd, at: start + 1) {
        return [([], start + 1 + lineEnd.count)]
      }
      return hex(text, start + 1, 2).map { [([UInt8(truncatingIfNeeded: $0)], start + 3)] } ?? []
    case .ampersand:
      return places(text, from: start, past: entityAgain).compactMap { entity(text, $0) }
    default: return []
    }
  }

  /// Where the letters of an escape may begin: `%2F`, and in `%252F` after the first digits, too.
  private static func places(_ text: [UInt8], from start: Int, past again: [UInt8]) -> [Int] {
    var places = [start]
    while places.count < depthMax, let last = places.last, text.holds(again, at: last + 1) {
      places.append(last + again.count)
    }
    return places
  }

  private static let depthMax = 4
  private static let percentAgain = Array("25".utf8)
  private static let entityAgain = Array("amp;".utf8)
  private static let lineEnds = [[UInt8.newline], [.carriageReturn, .newline]]
  private static let nameBytesMax = 10

  private static func entity(_ text: [UInt8], _ start: Int) -> (bytes: [UInt8], end: Int)? {
    let place = start + 1
    var end = place
    while end < text.count, end - place < nameBytesMax, text[end].isEntity { end += 1 }
    let name = text[place..<end]
    let next = end < text.count && text[end] == .semicolon ? end + 1 : end
    if name.first == .hash {
      let isHex = name.dropFirst().first?.lowercased == UInt8(ascii: "x")
      let digits = String(decoding: name.dropFirst(isHex ? 2 : 1), as: UTF8.self)
      guard let scalar = UInt32(digits, radix: isHex ? 16 : 10).flatMap(Unicode.Scalar.init) else {
        return nil
      }
      return (Array(String(Character(scalar)).utf8), next)
    }
    guard next > end, let byte = entities[String(decoding: name, as: UTF8.self)] else { return nil }
    return ([byte], next)
  }

  /// All of ASCII that have a name in HTML.
  private static let entities: [String: UInt8] = {
    let names: [(Unicode.Scalar, String)] = [
      ("&", "amp AMP"), ("<", "lt LT"), (">", "gt GT"), ("\"", "quot QUOT"), ("'", "apos"),
      ("!", "excl"), ("#", "num"), ("$", "dollar"), ("%", "percnt"), ("(", "lpar"), (")", "rpar"),
      ("*", "ast midast"), ("+", "plus"), (",", "comma"), (".", "period"), ("/", "sol"),
      (":", "colon"), (";", "semi"), ("=", "equals"), ("?", "quest"), ("@", "commat"),
      ("[", "lsqb lbrack"), ("\\", "bsol"), ("]", "rsqb rbrack"), ("^", "Hat"),
      ("_", "lowbar UnderBar"), ("`", "grave"), ("{", "lcub lbrace"), ("|", "verbar vert"),
      ("}", "rcub rbrace"), ("\t", "Tab"), ("\n", "NewLine"),
    ]
    return Dictionary(
      names.flatMap { scalar, names in
        names.split(separator: " ").map { (String($0), UInt8(ascii: scalar)) }
      }, uniquingKeysWith: { $1 })
  }()

  /// The meaning of a letter after a backslash, and where the escape ends.
  static func meantByLetter(_ text: [UInt8], _ offset: Int) -> (bytes: [UInt8], end: Int)? {
    switch text[offset] {
    case .quote, .slash, UInt8(ascii: "'"): return ([text[offset]], offset + 1)
    case UInt8(ascii: "b"): return ([8], offset + 1)
    case UInt8(ascii: "t"): return ([9], offset + 1)
    case UInt8(ascii: "n"): return ([10], offset + 1)
    case UInt8(ascii: "f"): return ([12], offset + 1)
    case UInt8(ascii: "r"): return ([13], offset + 1)
    case UInt8(ascii: "x"):
      return hex(text, offset + 1, 2).map { ([UInt8(truncatingIfNeeded: $0)], offset + 3) }
    case UInt8(ascii: "u"):
      guard let unit = hex(text, offset + 1, 4) else { return nil }
      if let scalar = Unicode.Scalar(unit) {
        return (Array(String(Character(scalar)).utf8), offset + 5)
      }
      // Half of a pair: the other half has its own backslashes.
      let next = text[(offset + 5)...].firstIndex { $0 != .backslash } ?? text.count
      guard unit < 0xDC00, next < text.count, text[next] == UInt8(ascii: "u"),
        let low = hex(text, next + 1, 4), 0xDC00...0xDFFF ~= low,
        let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
      else { return nil }
      return (Array(String(Character(scalar)).utf8), next + 5)
    default: return nil
    }
  }

  static func hex(_ text: [UInt8], _ start: Int, _ count: Int) -> UInt32? {
    guard start + count <= text.count else { return nil }
    var value: UInt32 = 0
    for byte in text[start..<start + count] {
      guard let digit = byte.hexadecimalValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}

extension UInt8 {
  fileprivate var isEntity: Bool { isLetterOrDigit || self == .hash }
}

extension UInt8 {
  static let ampersand = UInt8(ascii: "&")
}
