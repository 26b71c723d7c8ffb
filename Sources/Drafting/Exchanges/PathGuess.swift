import UnderstudyCore
package import UnderstudyContractModel

/// Derives a contract's path from requested paths: which segments are parameters.
///
/// Numbers, UUIDs and long hexadecimal numbers become parameters. Given templates take precedence:
/// the first match wins, and a template without parameters keeps the path as it is.
package struct PathGuess: Sendable {
  private let templates: [PathTemplate]

  package init(templates: [PathTemplate]) {
    self.templates = templates
  }

  enum Source {
    /// A template gave the path.
    case given
    /// Some segments look like identifiers.
    case guess
    /// The path is as it was sent.
    case sent
  }

  func template(for segments: [String]) -> (segments: [PathTemplate.Segment], source: Source) {
    if let template = templates.first(where: { $0.fits(segments) }) {
      return (template.segments, .given)
    }
    let areParameters = segments.map(Self.isIdentifier)
    return (Self.named(segments, areParameters), areParameters.contains(true) ? .guess : .sent)
  }

  /// The segments, with names for those that are parameters.
  static func named(_ segments: [String], _ areParameters: [Bool]) -> [PathTemplate.Segment] {
    let parameterCount = areParameters.count { $0 }
    var names = UniqueNames()
    return zip(segments, areParameters).enumerated().map { offset, pair in
      let (segment, isParameter) = pair
      guard isParameter else { return .literal(segment) }
      var name = "id"
      if parameterCount > 1, offset > 0 { name = singular(segments[offset - 1]) ?? "id" }
      return .parameter(names.name(name))
    }
  }

  private static func isIdentifier(_ segment: String) -> Bool {
    let bytes = segment.utf8
    guard !bytes.isEmpty,
      bytes.allSatisfy({ $0.hexadecimalValue != nil || $0 == UInt8(ascii: "-") }),
      bytes.contains(where: \.isDigit)
    else { return false }
    return bytes.allSatisfy(\.isDigit)
      || bytes.count >= 8 && bytes.allSatisfy { $0.hexadecimalValue != nil }
      || bytes.count == 36 && bytes.count { $0 == UInt8(ascii: "-") } == 4
  }

  /// `user` for `users`; `nil` for text that cannot be a parameter's name.
  private static func singular(_ segment: String) -> String? {
    guard
      segment.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }),
      segment.utf8.first.map({ !$0.isDigit }) ?? false
    else { return nil }
    return segment.count > 2 && segment.hasSuffix("s") ? String(segment.dropLast()) : segment
  }
}

extension PathTemplate {
  /// Whether the path, percent-encoded as sent, matches.
  package func fits(_ path: String) -> Bool { fits(RecordedExchange.segments(of: path)) }

  func fits(_ segments: [String]) -> Bool {
    tail == nil && self.segments.count == segments.count
      && zip(self.segments, segments).allSatisfy { own, segment in
        switch own {
        case .literal: own == .literal(segment)
        case .parameter: !segment.isEmpty
        }
      }
  }
}

extension [PathTemplate.Segment] {
  /// As written in contracts.
  var pathText: String {
    "/"
      + map { segment in
        switch segment {
        case .literal(let text): PercentEncoding.encode(text)
        case .parameter(let name): "{\(name)}"
        }
      }.joined(separator: "/")
  }

  /// The values of the parameters, by name.
  func values(in segments: [String]) -> [(name: String, value: String)] {
    zip(self, segments).compactMap { own, value in
      if case .parameter(let name) = own { (name, value) } else { nil }
    }
  }

  /// A file name for the path: `users-id`.
  var slug: String {
    let words = map { segment in
      switch segment {
      case .literal(let text): text.slug
      case .parameter(let name): name.slug
      }
    }.filter { !$0.isEmpty }
    return words.isEmpty ? "root" : words.joined(separator: "-")
  }
}

extension String {
  /// Lower-case letters, digits and single dashes between them; may be empty.
  package var slug: String {
    lowercased().utf8.map { $0.isLetterOrDigit ? $0 : UInt8(ascii: "-") }
      .split(separator: UInt8(ascii: "-"))
      .map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
  }
}
