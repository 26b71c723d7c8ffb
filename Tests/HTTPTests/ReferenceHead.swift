import UnderstudyHTTP

/// A second parser, as plain as it can be: splits copies into lines and words, and wants the head
/// whole. What `RequestHead` takes must be what it takes.
enum ReferenceHead {
  /// `nil` if there is no end of a head, or it is not to be taken.
  static func parse(_ bytes: [UInt8]) -> ParsedHead? {
    let start = bytes.starts(with: Array("\r\n".utf8)) ? 2 : 0
    let end = bytes.indices.dropFirst(start).first {
      bytes[$0...].starts(with: Array("\r\n\r\n".utf8))
    }
    guard let end, end > start else { return nil }
    var lines = lines(Array(bytes[start..<end]))
    guard let request = RequestLine(lines.removeFirst()) else { return nil }
    var fields: [ParsedHead.Field] = []
    for line in lines {
      guard let field = field(line) else { return nil }
      fields.append(field)
    }
    return head(request, fields, byteCount: end + 4)
  }

  private static func head(
    _ request: RequestLine, _ fields: [ParsedHead.Field], byteCount: Int
  ) -> ParsedHead? {
    func values(_ name: String) -> [String] {
      fields.filter { $0.name.lowercased() == name }.map(\.value)
    }
    let hosts = values("host")
    guard hosts.count <= 1, hosts.count == 1 || request.minorVersion == 0,
      hosts.allSatisfy({ host(of: $0) != nil })
    else { return nil }
    if let authority = request.authority {
      guard host(of: authority) != nil,
        request.form == "authority" || hosts.first.map({ agree($0, authority) }) ?? true
      else { return nil }
    }
    let authority = request.authority ?? hosts.first ?? ""
    let expectations = request.minorVersion == 1 ? values("expect") : []
    guard expectations.allSatisfy({ $0.lowercased() == "100-continue" }),
      let body = body(values("content-length"), values("transfer-encoding"), request.minorVersion)
    else { return nil }
    let options = values("connection").flatMap { $0.split(separator: ",") }
      .map { trimmed(String($0)).lowercased() }
    return ParsedHead(
      byteCount: byteCount, method: request.method, form: request.form, path: request.path,
      query: request.query, authority: authority, host: host(of: authority) ?? "",
      minorVersion: request.minorVersion, body: body,
      keepsAlive: !options.contains("close")
        && (request.minorVersion == 1 || options.contains("keep-alive")),
      expectsContinue: !expectations.isEmpty, fields: fields)
  }

  private static func body(
    _ lengths: [String], _ codings: [String], _ minorVersion: UInt8
  ) -> BodyFraming? {
    switch (lengths.count, codings.count) {
    case (0, 0): return BodyFraming.none
    case (1, 0):
      guard lengths[0].count <= 18, lengths[0].allSatisfy({ "0123456789".contains($0) }) else {
        return nil
      }
      return Int(lengths[0]).map { .length($0) }
    case (0, 1): return codings[0].lowercased() == "chunked" && minorVersion == 1 ? .chunked : nil
    default: return nil
    }
  }

  struct RequestLine {
    var method: String
    var form = "origin"
    var authority: String?
    var path: String
    var query: String?
    var minorVersion: UInt8

    init?(_ line: [UInt8]) {
      let parts = line.split(separator: 0x20, omittingEmptySubsequences: false).map(Array.init)
      guard parts.count == 3, isToken(parts[0]), parts[0].count <= 32,
        !parts[1].isEmpty, parts[1].allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x23 })
      else { return nil }
      method = text(parts[0])
      switch text(parts[2]) {
      case "HTTP/1.1": minorVersion = 1
      case "HTTP/1.0": minorVersion = 0
      default: return nil
      }
      let target = text(parts[1])
      if method == "CONNECT" {
        guard target.wholeMatch(of: /.*:[0-9]+/) != nil else { return nil }
        (form, authority, path) = ("authority", target, "")
        return
      }
      let mark = target.firstIndex(of: "?") ?? target.endIndex
      path = String(target[..<mark])
      query = mark < target.endIndex ? String(target[target.index(after: mark)...]) : nil
      if target.hasPrefix("/") { return }
      if target == "*", method == "OPTIONS" {
        form = "asterisk"
        return
      }
      guard let scheme = ["http://", "https://"].first(where: { path.lowercased().hasPrefix($0) })
      else { return nil }
      let rest = path.dropFirst(scheme.count)
      let slash = rest.firstIndex(of: "/") ?? rest.endIndex
      form = "absolute"
      authority = String(rest[..<slash])
      path = String(rest[slash...])
    }
  }

  // MARK: - Parts

  /// Framing fields must not have tabs around their values.
  private static func field(_ line: [UInt8]) -> ParsedHead.Field? {
    guard let colon = line.firstIndex(of: 0x3A), isToken(Array(line[..<colon])) else { return nil }
    let value = line[(colon + 1)...]
    guard value.allSatisfy({ $0 == 9 || ($0 >= 0x20 && $0 != 0x7F) }) else { return nil }
    let name = text(Array(line[..<colon]))
    let isFraming = ["content-length", "transfer-encoding"].contains(name.lowercased())
    if isFraming, value.contains(9) { return nil }
    // Trimmed as bytes: a space and a combining mark would be one character.
    let head = value.drop { $0 == 0x20 || $0 == 9 }
    let end = head.lastIndex { $0 != 0x20 && $0 != 9 }.map { $0 + 1 } ?? head.startIndex
    return ParsedHead.Field(name: name, value: text(Array(head[..<end])))
  }

  private static func lines(_ bytes: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = [[]]
    var index = 0
    while index < bytes.count {
      if bytes[index...].starts(with: [13, 10]) {
        lines.append([])
        index += 2
      } else {
        lines[lines.count - 1].append(bytes[index])
        index += 1
      }
    }
    return lines
  }

  private static func isToken(_ bytes: [UInt8]) -> Bool {
    let marks = Array("!#$%&'*+-.^_`|~".utf8)
    return !bytes.isEmpty
      && bytes.allSatisfy { byte in
        marks.contains(byte) || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte)
      }
  }

  private static func host(of authority: String) -> String? {
    let pattern =
      /(\[[0-9A-Fa-f:.]+\]|([A-Za-z0-9._~!$&'()*+,;=\-]|%[0-9A-Fa-f]{2})+)(:[0-9]{0,5})?/
    guard authority.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    return authority.wholeMatch(of: pattern).map { String($0.1) }
  }

  /// One of them may leave out the port.
  private static func agree(_ left: String, _ right: String) -> Bool {
    same(left, right)
      || (left == host(of: left) || right == host(of: right))
        && same(host(of: left) ?? "", host(of: right) ?? "")
  }

  private static func same(_ left: String, _ right: String) -> Bool {
    left.lowercased() == right.lowercased()
  }

  private static func trimmed(_ text: String) -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
