import UnderstudyContractModel
import UnderstudyCore

/// What a request may ask of a response besides the whole: nothing if it has not changed (RFC 9110,
/// section 13), or a part (section 14).
struct ResponseConditions: Sendable {
  /// What a request gets instead of the whole response.
  struct Part {
    let status: Int
    let lines: [UInt8]
    let range: Range<Int>
    /// The framing of a part without a body; `nil` where the length of `range` decides.
    let framing: ResponseFraming?
  }

  private let hasRanges: Bool
  private let hasTag: Bool
  /// Whether the server makes the tag.
  private let makesTag: Bool
  private let announcesRanges: Bool

  /// `nil` for most responses, which have none.
  init?(_ response: Response, method: String) {
    guard response.hasRanges || response.hasTag else { return nil }
    hasRanges = response.hasRanges && method == "GET"
    hasTag = response.hasTag && (method == "GET" || method == "HEAD")
    makesTag = response.hasTag && !response.headers.contains { $0.key == "etag" }
    announcesRanges = hasRanges && !response.headers.contains { $0.key == "accept-ranges" }
  }

  /// The header lines that the response has besides those of its case.
  func lines(for content: [UInt8]) -> [UInt8] {
    var lines: [UInt8] = []
    if announcesRanges { lines += "Accept-Ranges: bytes\r\n".utf8 }
    if makesTag { lines += "ETag: \(Self.tag(of: content))\r\n".utf8 }
    return lines
  }

  /// Strong: the same for the same bytes, on every machine and in every run.
  static func tag(of content: [UInt8]) -> String {
    var print = Fingerprint()
    print.add(content)
    return "\"\(String(content.count, radix: 16))-\(String(print.value, radix: 16))\""
  }

  /// `nil` when the request gets the whole response.
  ///
  /// - Parameter lines: the status line and all headers of the whole response.
  func part(
    of lines: [UInt8], byteCount: Int, for request: RequestFacts, isHead: Bool
  ) -> Part? {
    if hasTag {
      let known = request.headerValues("If-None-Match")
      if !known.isEmpty, EntityTag.list(known, has: Fields(lines)["etag"]) {
        return Part(lines, status: 304, framing: ResponseFraming.none)
      }
    }
    guard hasRanges, !isHead else { return nil }
    let asked = request.headerValues("Range")
    guard asked.count == 1, let range = RequestedRange(asked[0]) else { return nil }
    let fields = Fields(lines)
    let validator = request.headerValues("If-Range")
    if !validator.isEmpty, validator.count > 1 || !fields.isStill(validator[0]) { return nil }
    guard let part = range.part(of: byteCount) else {
      return Part(lines, status: 416, range: "*/\(byteCount)", framing: .length(0))
    }
    let place = "\(part.lowerBound)-\(part.upperBound - 1)/\(byteCount)"
    return Part(lines, status: 206, range: place, of: part)
  }
}

extension ResponseConditions.Part {
  fileprivate init(
    _ lines: [UInt8], status: Int, range: String? = nil, of bytes: Range<Int> = 0..<0,
    framing: ResponseFraming? = nil
  ) {
    self.status = status
    let added = range.map { "Content-Range: bytes \($0)\r\n" } ?? ""
    self.lines = ResponseConditions.Fields(lines).lines(status: status) + Array(added.utf8)
    self.range = bytes
    self.framing = framing
  }
}

extension ResponseConditions {
  /// A status line and headers, as text.
  fileprivate struct Fields {
    private let version: Substring
    private let lines: ArraySlice<Substring>

    init(_ bytes: [UInt8]) {
      let all = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
      version = all.first?.prefix { $0 != " " } ?? "HTTP/1.1"
      lines = all.dropFirst()
    }

    /// The first value of a header, by its name in small letters.
    subscript(_ name: String) -> Substring? {
      for line in lines where Self.name(of: line) == name {
        return line.dropFirst(name.count + 1).drop { $0 == " " }
      }
      return nil
    }

    private static func name(of line: Substring) -> String {
      line.prefix { $0 != ":" }.lowercased()
    }

    /// For another status. Without a body, there is nothing to say about one.
    func lines(status: Int) -> [UInt8] {
      var text = "\(version) \(status) \(ReasonPhrase.text(of: status))\r\n"
      for line in lines {
        let name = Self.name(of: line)
        if status != 206, name.hasPrefix("content-"), name != "content-location" { continue }
        text += line
        text += "\r\n"
      }
      return Array(text.utf8)
    }

    /// Whether a validator of `If-Range` is that of this response (RFC 9110, section 13.1.5).
    func isStill(_ validator: String) -> Bool {
      if validator.hasPrefix("\"") { return self["etag"].map { $0 == validator } ?? false }
      return self["last-modified"].map { $0 == validator } ?? false
    }
  }
}

/// The tags of entities (RFC 9110, section 8.8.3).
enum EntityTag {
  /// Whether lists of tags, as in `If-None-Match`, name this one or any; weak tags count.
  static func list(_ lists: [String], has tag: Substring?) -> Bool {
    lists.contains { list in
      if list.utf8.filter({ $0 != .space && $0 != .tab }) == [UInt8(ascii: "*")] { return true }
      guard let tag else { return false }
      return tags(in: list).contains(tag.hasPrefix("W/") ? tag.dropFirst(2) : tag)
    }
  }

  /// The tags without their `W/`, up to the first that is malformed.
  private static func tags(in list: String) -> [Substring] {
    var tags: [Substring] = []
    var rest = list[...]
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
      if rest.hasPrefix("W/") { rest = rest.dropFirst(2) }
      guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return tags }
      tags.append(rest[...end])
      rest = rest[end...].dropFirst()
    }
  }
}

/// One range of bytes that a request asks for (RFC 9110, section 14.1.2).
enum RequestedRange: Equatable {
  case from(Int, through: Int)
  case last(Int)

  /// `nil` for several ranges, for other units, and for what is not a range: they are ignored.
  init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
    let bounds = parts[1].drop { $0 == " " || $0 == "\t" }
      .split(separator: "-", omittingEmptySubsequences: false)
    guard bounds.count == 2, bounds.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }) else {
      return nil
    }
    // A number too large for a machine is beyond every end.
    let numbers = bounds.map { $0.isEmpty ? nil : Int($0) ?? .max }
    switch (numbers[0], numbers[1]) {
    case (nil, nil): return nil
    case (nil, let count?): self = .last(count)
    case (let first?, let last): self = .from(first, through: last ?? .max)
    }
    if case .from(let first, let last) = self, last < first { return nil }
  }

  /// `nil` when it has none of the bytes.
  func part(of byteCount: Int) -> Range<Int>? {
    switch self {
    case .from(let first, let last):
      first < byteCount ? first..<(min(last, byteCount - 1) + 1) : nil
    case .last(let count):
      count > 0 && byteCount > 0 ? max(0, byteCount - count)..<byteCount : nil
    }
  }
}
