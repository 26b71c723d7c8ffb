package import UnderstudyCore

extension PathTemplate {
  package init(parsing text: String) throws(Failure) {
    let bytes = Array(text.utf8)
    guard bytes.first == UInt8(ascii: "/") else {
      if let scheme = text.utf8.firstRange(ofBytes: "://".utf8) {
        let path = text[scheme.upperBound...].drop { $0 != "/" }.prefix { $0 != "?" && $0 != "#" }
        throw Failure(
          message: "found a URL, expected only the path after the base URL",
          fix: "write only the path, such as \"\(path.isEmpty ? "/" : path)\"")
      }
      let fixed = "/\(text)"
      throw Failure(
        message: "found path \"\(text)\", expected one that starts with a slash",
        fix: (try? PathTemplate(parsing: fixed)) == nil ? nil : "write \"\(fixed)\"")
    }
    for byte in bytes {
      let advice: String
      switch byte {
      case UInt8(ascii: "?"): advice = "put the query into \"parameters\" as \"query.NAME\""
      case UInt8(ascii: "#"): advice = "remove the fragment: it is never sent"
      case UInt8(ascii: " "): advice = "write the space as %20"
      case 0..<0x20, 0x7F:
        throw Failure(
          message: "a control character in a path, expected none", fix: "remove it")
      default: continue
      }
      throw Failure(
        message: "found \"\(Unicode.Scalar(byte))\" in path \"\(text)\", expected only a path",
        fix: advice)
    }
    let parts = bytes.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    var segments: [Segment] = []
    var tail: String?
    for (index, part) in parts.enumerated() where !part.isEmpty || index > 0 {
      if part.isEmpty, index < parts.count - 1 {
        throw Failure(
          message: "found an empty segment in path \"\(text)\", expected one slash at a time",
          fix: "remove a slash")
      }
      if let name = Self.tail(part) {
        guard index == parts.count - 1 else {
          throw Failure(
            message: "found {\(name)...} inside path \"\(text)\", expected it as the last segment",
            fix: "write {\(name)} for one segment, or end the path with {\(name)...}")
        }
        tail = name
      } else {
        segments.append(try Self.segment(part, in: text))
      }
    }
    var names = Set(tail.map { [$0] } ?? [])
    for case .parameter(let name) in segments where !names.insert(name).inserted {
      throw Failure(
        message: "found parameter {\(name)} twice in path \"\(text)\", expected each name once",
        fix: "rename one of them")
    }
    self.text = text
    self.segments = segments
    self.tail = tail
  }

  /// The name in `{rest...}`.
  private static func tail(_ segment: ArraySlice<UInt8>) -> String? {
    guard segment.starts(with: "{".utf8), segment.suffix(4).elementsEqual("...}".utf8) else {
      return nil
    }
    let name = segment.dropFirst().dropLast(4)
    return isName(name) ? String(decoding: name, as: UTF8.self) : nil
  }

  private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty
      && bytes.allSatisfy {
        $0.isLetterOrDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
      }
  }

  private static func segment(
    _ bytes: ArraySlice<UInt8>, in path: String
  ) throws(Failure) -> Segment {
    var part: String { String(decoding: bytes, as: UTF8.self) }
    if bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}") {
      let name = bytes.dropFirst().dropLast()
      if isName(name) { return .parameter(String(decoding: name, as: UTF8.self)) }
    }
    if bytes.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) {
      throw Failure(
        message: "found segment \"\(part)\" in path \"\(path)\", expected a parameter such as {id}",
        fix: "make the parameter a whole segment, named with letters, digits, _ and -")
    }
    if foreignParameter(bytes, isLast: false) != nil {
      throw Failure(
        message: "found segment \"\(part)\" in path \"\(path)\", expected a parameter such as {id}",
        fix: "write \"\(ours(path) ?? "{id}")\", or \"\(PercentEncoding.encode(part))\" for the"
          + " characters themselves")
    }
    guard let literal = PercentEncoding.decode(bytes) else {
      throw Failure(
        message: "found segment \"\(part)\" in path \"\(path)\", expected valid percent-encoding",
        fix: "write a percent sign itself as %25")
    }
    guard literal.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw Failure(
        message: "found segment \"\(part)\" in path \"\(path)\", expected no control character",
        fix: "remove it")
    }
    guard literal != ".", literal != ".." else {
      throw Failure(
        message: "clients resolve segment \"\(part)\" in path \"\(path)\" themselves",
        fix: "write the resolved path")
    }
    return .literal(literal)
  }

  // MARK: - Parameters as others write them

  /// What another tool means by a segment, as contracts have it: `:id` of Express, `*` of most,
  /// `<int:id>` of Flask.
  private static func foreignParameter(_ segment: ArraySlice<UInt8>, isLast: Bool) -> String? {
    let star = UInt8(ascii: "*")
    let name: ArraySlice<UInt8>
    if segment.contains(star) {
      name = segment.drop { $0 == star }
      let given = isName(name) ? String(decoding: name, as: UTF8.self) : nil
      return isLast && segment.first == star && (given != nil || name.isEmpty)
        ? "{\(given ?? "rest")...}" : "{\(given ?? "any")}"
    } else if segment.first == .colon {
      name = segment.dropFirst().prefix { isName([$0]) }
    } else if segment.first == UInt8(ascii: "<"), segment.last == UInt8(ascii: ">") {
      let text = segment.dropFirst().dropLast()
      name = text.split(separator: .colon).last ?? text
    } else {
      return nil
    }
    return isName(name) ? "{\(String(decoding: name, as: UTF8.self))}" : nil
  }

  /// A path that another tool would understand, as contracts have it; `nil` if none can have it.
  private static func ours(_ path: String) -> String? {
    let parts = Array(path.utf8).split(separator: .slash, omittingEmptySubsequences: false)
    let written = parts.enumerated().map { index, part in
      foreignParameter(part, isLast: index == parts.count - 1)
        ?? String(decoding: part, as: UTF8.self)
    }.joined(separator: "/")
    return (try? PathTemplate(parsing: written))?.text
  }
}
