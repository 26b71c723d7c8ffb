/// A parsed pattern, without captures and laziness, which do not affect a yes or no.
indirect enum Node {
  case set(ScalarSet)
  case assertion(Assertion)
  case sequence([Node])
  case choice([Node])
  /// `max` is `nil` without an upper bound; `offset` is the quantifier's place in the source.
  case repetition(Node, min: Int, max: Int?, offset: Int)

  /// Whether every match must begin at the start of the text.
  var isAnchoredAtStart: Bool {
    switch self {
    case .set: false
    case .assertion(let assertion): assertion == .start
    case .sequence(let parts): parts.first?.isAnchoredAtStart ?? false
    case .choice(let branches): branches.allSatisfy(\.isAnchoredAtStart)
    case .repetition(let body, let min, _, _): min > 0 && body.isAnchoredAtStart
    }
  }

  /// Whether a match has a greatest length.
  var isBounded: Bool {
    switch self {
    case .set, .assertion: true
    case .sequence(let parts), .choice(let parts): parts.allSatisfy(\.isBounded)
    case .repetition(let body, _, let max, _): max != nil && body.isBounded
    }
  }

  /// Matches the same texts, read from their ends.
  var reversed: Node {
    switch self {
    case .set, .assertion(.wordBoundary), .assertion(.noWordBoundary), .assertion(.look): self
    case .assertion(.start): .assertion(.end)
    case .assertion(.end): .assertion(.start)
    case .sequence(let parts): .sequence(parts.reversed().map(\.reversed))
    case .choice(let branches): .choice(branches.map(\.reversed))
    case .repetition(let body, let min, let max, let offset):
      .repetition(body.reversed, min: min, max: max, offset: offset)
    }
  }
}

/// A condition on a place between two scalars.
enum Assertion: Hashable {
  case start
  case end
  case wordBoundary
  case noWordBoundary
  /// The number of the look-around in its pattern.
  case look(Int, isNegated: Bool)
}

/// What has to follow a place of the text, or to precede it: `(?=body)`, `(?<=body)`.
struct LookAround {
  /// A pattern has at most this many: each needs a bit for every place of a text.
  static let countMax = 64

  let body: Node
  let isBehind: Bool
}

/// The groups of a pattern and the references to them. References may precede their group, so they
/// are checked at the end.
struct Groups {
  var count = 0
  /// All names, in the order of the source.
  var names: [String] = []
  /// Names that another group must not reuse: only the alternatives of a choice may share a name.
  var namesInReach: Set<String> = []
  var references: [BackReference] = []

  struct BackReference {
    enum Target {
      case number(Int)
      case name(String)
    }

    let offset: Int
    let quoted: String
    let target: Target
  }

  func checkReferences() throws(PatternError) {
    let names = Set(names)
    for reference in references {
      switch reference.target {
      case .number(let number) where number > count:
        let have = count == 1 ? "1 group" : "\(count) groups"
        throw PatternError(
          at: reference.offset,
          "backreference \(reference.quoted) is in a pattern with \(have)")
      case .name(let name) where !names.contains(name):
        throw PatternError(
          at: reference.offset,
          "backreference \(reference.quoted) is of a group that does not exist",
          fix: "name a group like this: (?<\(name)>…)")
      default: break
      }
    }
  }
}

/// Why a text is not a valid pattern, or cannot be matched in linear time.
package struct PatternError: Error, Hashable, Sendable {
  /// Where in the source, in Unicode scalars from its start.
  package let offset: Int
  /// One sentence without a full stop: `found "(" without its ")"`.
  package let message: String
  /// What to do about it, as an instruction.
  package let fix: String?

  init(at offset: Int, _ message: String, fix: String? = nil) {
    self.offset = offset
    self.message = message
    self.fix = fix
  }
}

extension PatternError: CustomStringConvertible {
  package var description: String {
    let complaint = "at offset \(offset): \(message)"
    return fix.map { "\(complaint)\n  fix: \($0)" } ?? complaint
  }
}
