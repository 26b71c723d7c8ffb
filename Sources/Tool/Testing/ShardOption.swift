import UnderstudyCore
import UnderstudyFindings

/// The shard of the checks that this machine runs: `2/8`, or `auto` for the environment's.
///
/// `auto` must be explicit. Otherwise a variable that happened to be set would turn a full run into
/// an eighth, and its pass would be mistaken for a full one.
enum ShardOption: Sendable {
  case shard(Shard)
  case auto

  static let format = ValueFormat(.other("a shard such as 2/8, or auto")) { word in
    word == "auto" ? ShardOption.auto : Shard(parsing: word).map(ShardOption.shard)
  }
}

/// A shard, and the variables it was read from.
struct ShardFromEnvironment {
  /// Set by the user, so it comes first.
  private static let own = "UNDERSTUDY_SHARD"

  private static let systems = [
    // Heroku CI has variables of the same names, but counts from 0.
    ShardVariables("CI_NODE_INDEX", from: 1, of: "CI_NODE_TOTAL", where: "GITLAB_CI"),
    ShardVariables("CIRCLE_NODE_INDEX", from: 0, of: "CIRCLE_NODE_TOTAL"),
    ShardVariables("BUILDKITE_PARALLEL_JOB", from: 0, of: "BUILDKITE_PARALLEL_JOB_COUNT"),
    // Kubernetes does not give the number of shards.
    ShardVariables("JOB_COMPLETION_INDEX", from: 0, of: "UNDERSTUDY_SHARD_COUNT"),
  ]

  static let variables = [own] + systems.flatMap(\.names)

  let shard: Shard
  /// `CI_NODE_INDEX=2 and CI_NODE_TOTAL=8`
  let words: String

  init(_ variables: [String: String]) throws(Failure) {
    let variables = variables.mapValues(\.visible)
    if let text = variables[Self.own] {
      guard let shard = Shard(parsing: text) else { throw .noShard(text, in: Self.own) }
      (self.shard, words) = (shard, "\(Self.own)=\(text)")
      return
    }
    var found: [(shard: Shard, words: String)] = []
    for system in Self.systems {
      if let shard = try system.shard(in: variables) {
        found.append((shard, system.words(in: variables)))
      }
    }
    guard let first = found.first else { throw .noShardVariables(Self.own) }
    if let other = found.first(where: { $0.shard != first.shard }) {
      throw .twoShards(first, other, Self.own)
    }
    (shard, words) = first
  }
}

/// The variables that a system uses to number the machines of a job.
private struct ShardVariables {
  let index: String
  let first: Int
  let count: String
  /// A variable that is `true` on systems where the names have this meaning.
  let marker: String?

  init(_ index: String, from first: Int, of count: String, where marker: String? = nil) {
    (self.index, self.first, self.count, self.marker) = (index, first, count, marker)
  }

  var names: [String] { [index, count] + [marker].compactMap(\.self) }

  func words(in variables: [String: String]) -> String {
    [index, count].compactMap { name in variables[name].map { "\(name)=\($0)" } }
      .joined(separator: " and ")
  }

  /// `nil` on other systems.
  func shard(in variables: [String: String]) throws(Failure) -> Shard? {
    if let marker, variables[marker] != "true" { return nil }
    switch (variables[index], variables[count]) {
    case (nil, nil): return nil
    // GitLab's value for a job that is not parallel.
    case (nil, "1") where marker != nil: return Shard(index: 1, count: 1)
    case (let text?, nil): throw .halfAShard(index, text, without: count)
    case (nil, let text?): throw .halfAShard(count, text, without: index)
    case (let indexText?, let countText?):
      guard let number = Int(indexText), let total = Int(countText), number >= first,
        number <= Shard.countMax, let shard = Shard(index: number - first + 1, count: total)
      else { throw .wrongShard(words(in: variables), from: first) }
      return shard
    }
  }
}

extension Failure {
  fileprivate static func noShard(_ text: String, in name: String) -> Self {
    Self(message: "found \"\(text)\" in \(name), expected a shard such as 2/8")
  }

  fileprivate static func noShardVariables(_ own: String) -> Self {
    Self(
      message: "no environment variable with the shard of this machine",
      fix: "write --shard 2/8, or set \(own)=2/8")
  }

  fileprivate static func twoShards(
    _ first: (shard: Shard, words: String), _ second: (shard: Shard, words: String), _ own: String
  ) -> Self {
    Self(
      message: "shard \(first.shard) by \(first.words), but \(second.shard) by \(second.words)",
      fix: "choose one: --shard \(first.shard), or \(own)=\(first.shard)")
  }

  fileprivate static func halfAShard(_ name: String, _ text: String, without other: String) -> Self
  {
    Self(
      message: "\(name)=\(text) is set without \(other)",
      fix: "set \(other) too, or write --shard 2/8")
  }

  fileprivate static func wrongShard(_ words: String, from first: Int) -> Self {
    Self(
      message: "found \(words), expected an index of at least \(first) and a count"
        + (first == 0 ? " above it" : " not below it"),
      fix: "correct them, or write --shard 2/8")
  }
}
