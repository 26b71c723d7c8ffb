import Synchronization
import UnderstudyContractModel

/// The named strings of an upstream, or those of them that a response has.
struct UpstreamState: Sendable {
  private struct Kept {
    var text: String
    let number: Int
  }

  /// The strings that one response may list.
  static let listedCountMax = 1000

  private var kept: [String: Kept] = [:]
  private var nextNumber = 0

  init() {}

  /// What an upstream begins with.
  init(_ values: [StateValue]) {
    for value in values { self[value.name] = value.value }
  }

  subscript(_ name: String) -> String? {
    get { kept[name]?.text }
    set {
      guard let newValue else {
        kept[name] = nil
        return
      }
      if let place = kept.index(forKey: name) {
        kept.values[place].text = newValue
      } else {
        kept[name] = Kept(text: newValue, number: nextNumber)
        nextNumber += 1
      }
    }
  }

  /// By name.
  var texts: [String: String] { kept.mapValues(\.text) }

  /// The strings whose names begin so, in the order in which they were first set.
  func texts(beginningWith prefix: String) -> [String] {
    listed(prefix).map(\.value.text)
  }

  /// Adds the string of a name, or all whose names begin so.
  mutating func add(_ name: String, isPrefix: Bool, of other: UpstreamState) {
    guard isPrefix else {
      kept[name] = other.kept[name]
      return
    }
    for (name, text) in other.listed(name) { kept[name] = text }
  }

  private func listed(_ prefix: String) -> ArraySlice<(key: String, value: Kept)> {
    kept.filter { !$0.value.text.isEmpty && $0.key.utf8.starts(with: prefix.utf8) }
      .sorted { $0.value.number < $1.value.number }.prefix(Self.listedCountMax)
  }
}

/// What the sessions of a server begin with. Any thread may use it.
final class StartingState: Sendable {
  private let values: Mutex<[String: UpstreamState]>

  init(_ upstreams: [Upstream] = []) { values = Mutex(Self.values(of: upstreams)) }

  func replace(with upstreams: [Upstream]) {
    values.withLock { $0 = Self.values(of: upstreams) }
  }

  /// By upstream; of those that begin with something.
  var all: [String: UpstreamState] { values.withLock { $0 } }

  subscript(_ upstreamName: String) -> UpstreamState? { values.withLock { $0[upstreamName] } }

  private static func values(of upstreams: [Upstream]) -> [String: UpstreamState] {
    let stateful = upstreams.filter { !$0.state.isEmpty }
    return Dictionary(
      stateful.map { ($0.name, UpstreamState($0.state)) }, uniquingKeysWith: { first, _ in first })
  }
}
