import UnderstudyContractModel
import UnderstudyCore
import UnderstudySystem

/// How a value is written as one word on the command line.
struct ValueFormat<Value: Sendable>: Sendable {
  let shape: ValueShape
  /// The word for a value; help shows defaults this way.
  let write: @Sendable (Value) -> String
  /// How to fix a word of the wrong shape, if there is more to say than the shape.
  let fix: @Sendable (String) -> String?
  /// Returns `nil` when the word does not have the shape.
  let parse: @Sendable (String) -> Value?

  init(
    _ shape: ValueShape, write: @escaping @Sendable (Value) -> String = { "\($0)" },
    fix: @escaping @Sendable (String) -> String? = { _ in nil },
    parse: @escaping @Sendable (String) -> Value?
  ) {
    (self.shape, self.write, self.fix, self.parse) = (shape, write, fix, parse)
  }

  func value(of word: ArgumentSource) throws(Failure) -> Value {
    guard let value = parse(word.text) else {
      throw .badValue(
        word.text, of: word.place, shape: shape,
        fix: fix(word.text) ?? Spelling.suggestion(for: word.text, among: shape.choices))
    }
    return value
  }
}

extension ValueFormat where Value: CaseIterable & RawRepresentable<String> {
  /// The name of a case.
  static var choice: Self {
    Self(.oneOf(Value.allCases.map(\.rawValue)), write: { $0.rawValue }) { Value(rawValue: $0) }
  }
}

extension ValueFormat<String> {
  /// One of a set of words known only at run time.
  static func oneOf(_ words: [String]) -> Self {
    Self(.oneOf(words)) { words.contains($0) ? $0 : nil }
  }

  /// Any word that is not empty.
  static var word: Self { Self(.other("a word")) { $0.isEmpty ? nil : $0 } }

  /// A file or folder as the user named it, relative to the current directory.
  static var path: Self { Self(.path, write: { $0 }) { $0.isEmpty ? nil : $0 } }

  /// An address to listen on. Names are not resolved, since they may have several addresses.
  static var host: Self {
    Self(
      .other("an IPv4 or IPv6 address of this machine, or localhost"), write: { $0 },
      fix: { _ in
        "write 127.0.0.1 or ::1 for this machine only, 0.0.0.0 or :: for all machines"
      },
      parse: { SocketAddress(host: $0, port: 0).isNumeric ? $0 : nil })
  }
}

extension ValueFormat<HeaderField> {
  static var headerLine: Self {
    Self(.other("a header line, such as 'Accept: text/html'")) { line in
      guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      return HeaderField(name: String(line[..<colon]), value: String(value))
    }
  }
}
