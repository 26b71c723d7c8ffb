import UnderstudyContractModel

/// The cases a contract needs so that each recorded request gets its response.
///
/// Requests that their own parts cannot distinguish form a class. Within a class, headers decide: a
/// request whose response does not depend on headers gets no further conditions, and the others
/// precede it.
struct RecordedPlan {
  private let group: RecordedGroup
  private let traits: [RecordedTraits]
  /// The keys that distinguish all requests.
  private let asking: [String]
  /// The index of the request whose case is served, by the index of each request.
  private(set) var origins: [Int: Int] = [:]
  /// Why some or all responses of a request get no case, by the request's index.
  private(set) var losses: [Int: String] = [:]
  /// The requests that get cases, the default first.
  private(set) var chosen: [(request: Int, when: [(key: String, trait: RecordedTrait)])] = []

  /// - Parameter asking: whether the contract already exists with its own default case.
  init(
    _ group: RecordedGroup, asking keys: [String]? = nil,
    naming template: [PathTemplate.Segment]? = nil
  ) {
    self.group = group
    let byDefault = keys == nil ? Self.defaultRequest(group.requests) : nil
    let traits = group.traits(
      naming: template, byVariables: group.hasTellingVariables(besides: byDefault))
    self.traits = traits
    var own: [String] = []
    for (key, _) in traits.flatMap(\.own) where !own.contains(key) { own.append(key) }
    asking =
      keys
      ?? own.filter { key in
        traits.contains { $0.trait(key) != traits[0].trait(key) }
      }
    guard keys != nil || byDefault != nil else {
      for (index, request) in group.requests.enumerated() {
        losses[index] = Self.loss(ofConditional: request)
      }
      return
    }
    var classes: [[RecordedTrait?]: [Int]] = [:]
    var signatures: [[RecordedTrait?]] = []
    for index in traits.indices {
      let signature = asking.map { traits[index].trait($0) }
      if classes[signature] == nil { signatures.append(signature) }
      classes[signature, default: []].append(index)
    }
    for signature in signatures { choose(among: classes[signature] ?? [], byDefault) }
    if let byDefault { settleUnconditional(byDefault) }
    for index in group.requests.indices where losses[index] == nil && group.requests[index].isCut {
      losses[index] = "it had more different responses than are kept"
    }
    // The first matching case is served, so those with more conditions come first.
    chosen = chosen.enumerated().sorted { left, right in
      let (own, other) = (left.element, right.element)
      if own.request == byDefault || other.request == byDefault { return own.request == byDefault }
      return (other.when.count, left.offset) < (own.when.count, right.offset)
    }.map(\.element)
  }

  /// The first success, or else the first response; never one to a conditional request.
  private static func defaultRequest(_ requests: [RecordedRequest]) -> Int? {
    requests.firstIndex { !$0.isConditional && 200..<300 ~= $0.first.status }
      ?? requests.firstIndex { !$0.isConditional }
  }

  private static func loss(ofConditional request: RecordedRequest) -> String {
    "\(request.first.status) is the response to a conditional request, and no full response was recorded"
  }

  /// Finds cases for requests that their own parts cannot distinguish.
  private mutating func choose(among members: [Int], _ byDefault: Int?) {
    let requests = group.requests
    let base =
      members.first { $0 == byDefault }
      ?? Self.defaultRequest(members.map { requests[$0] })
      .map { members[$0] }
    let keys = otherKeys(members)
    var seen: [[RecordedTrait?]: Int] = [:]
    for member in (base.map { [$0] } ?? []) + members.filter({ $0 != base }) {
      let request = requests[member]
      let vector = keys.map { traits[member].trait($0) }
      if let other = seen[vector] {
        settle(member, as: other)
      } else if let base, member != base, !request.isConditional,
        request.first.isSame(as: requests[base].first)
      {
        seen[vector] = base
        settle(member, as: base)
      } else {
        seen[vector] = member
        origins[member] = member
        let others =
          member == base ? [] : keys.map { (key: $0, trait: traits[member].trait($0) ?? .absent) }
        let own = asking.compactMap { key in
          traits[member].trait(key).map { (key: key, trait: $0) }
        }
        chosen.append((member, member == byDefault ? [] : own + others))
      }
    }
  }

  /// A request that is indistinguishable from another gets that one's responses.
  private mutating func settle(_ member: Int, as other: Int) {
    let (own, others) = (group.requests[member], group.requests[other])
    origins[member] = other
    let isSame =
      own.responses.count <= others.responses.count
      && zip(own.responses, others.responses).allSatisfy { $0.isSame(as: $1) }
    guard !isSame else { return }
    let exclusion = traits[member].bodyExclusion.map { "\($0), and " } ?? ""
    losses[member] = "\(exclusion)nothing distinguishes it from a request with a different response"
  }

  /// A case without conditions would be served for the wrong requests.
  private mutating func settleUnconditional(_ byDefault: Int) {
    for (request, when) in chosen where when.isEmpty && request != byDefault {
      for (member, origin) in origins where origin == request { settle(member, as: byDefault) }
    }
    chosen.removeAll { $0.when.isEmpty && $0.request != byDefault }
  }

  /// The additional keys that distinguish requests with different responses.
  private func otherKeys(_ members: [Int]) -> [String] {
    let requests = group.requests
    var keys: [String] = []
    for key in members.filter({ requests[$0].isConditional }).flatMap({ traits[$0].others }).map(
      \.key)
    where RequestHeaders.rank(key) == 0 && !keys.contains(key) {
      keys.append(key)
    }
    var candidates: [String] = []
    for key in members.flatMap({ traits[$0].others }).map(\.key)
    where !candidates.contains(key) && !keys.contains(key) {
      candidates.append(key)
    }
    candidates.sort { (RequestHeaders.rank($0), $0) < (RequestHeaders.rank($1), $1) }
    func differ(_ left: Int, _ right: Int, _ key: String) -> Bool {
      traits[left].trait(key) != traits[right].trait(key)
    }
    var pairs: [(Int, Int)] = []
    for (offset, left) in members.enumerated() {
      for right in members[(offset + 1)...]
      where !requests[left].first.isSame(as: requests[right].first)
        && !keys.contains(where: { differ(left, right, $0) })
      {
        pairs.append((left, right))
      }
    }
    for key in candidates where pairs.contains(where: { differ($0.0, $0.1, key) }) {
      keys.append(key)
      pairs.removeAll { differ($0.0, $0.1, key) }
    }
    return keys
  }
}
