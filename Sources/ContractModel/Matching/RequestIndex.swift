/// Finds the contract that answers a request, at a cost that does not grow with their number.
///
/// One trie of path segments for each upstream, built once and never changed.
package struct RequestIndex: Sendable {
  /// A contract by one of its paths.
  package struct Candidate: Sendable {
    package let contract: Contract
    package let template: PathTemplate
  }

  struct Node: Sendable {
    var literals: [String: Int] = [:]
    var parameter: Int?
    /// By method; those that ask the most come first.
    var candidates: [String: [Candidate]] = [:]
  }

  /// The trie of one upstream; its root is the first node.
  struct Trie: Sendable {
    var nodes = [Node()]

    mutating func insert(_ candidate: Candidate) {
      var index = 0
      for segment in candidate.template.segments { index = child(of: index, by: segment) }
      nodes[index].candidates[candidate.contract.request.method, default: []].append(candidate)
    }

    private mutating func child(of index: Int, by segment: PathTemplate.Segment) -> Int {
      let existing =
        switch segment {
        case .literal(let text): nodes[index].literals[text]
        case .parameter: nodes[index].parameter
        }
      if let existing { return existing }
      nodes.append(Node())
      switch segment {
      case .literal(let text): nodes[index].literals[text] = nodes.count - 1
      case .parameter: nodes[index].parameter = nodes.count - 1
      }
      return nodes.count - 1
    }

    mutating func sortCandidates() {
      for index in nodes.indices {
        for method in nodes[index].candidates.keys {
          nodes[index].candidates[method]?.sort {
            let (left, right) = ($0.contract.request, $1.contract.request)
            return left.conditionCount != right.conditionCount
              ? left.conditionCount > right.conditionCount : $0.contract.id < $1.contract.id
          }
        }
      }
    }
  }

  package let upstreams: [Upstream]
  let upstreamsByName: [String: Int]
  /// Those of one host with the longest base path first, so that `/v1/admin` comes before `/v1`.
  let upstreamsByHost: [String: [Int]]
  private let tries: [Trie]

  package init(_ upstreams: [Upstream]) {
    var byHost: [String: [Int]] = [:]
    for (index, upstream) in upstreams.enumerated() {
      for host in Set(upstream.hosts) { byHost[host, default: []].append(index) }
    }
    upstreamsByHost = byHost.mapValues { indices in
      indices.sorted { upstreams[$0].basePath.utf8.count > upstreams[$1].basePath.utf8.count }
    }
    upstreamsByName = Dictionary(
      upstreams.enumerated().map { ($0.element.name, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    tries = upstreams.map { upstream in
      var trie = Trie()
      for contract in upstream.contracts {
        for template in contract.request.paths {
          trie.insert(Candidate(contract: contract, template: template))
        }
      }
      trie.sortCandidates()
      return trie
    }
    self.upstreams = upstreams
  }

  package func upstream(named name: String) -> Upstream? {
    upstreamsByName[name].map { upstreams[$0] }
  }

  /// The contract of this upstream that answers, its path being relative to the base URL.
  package func contract(for request: Request, in upstream: Upstream) -> Contract? {
    match(RequestParts(request), in: upstream)?.contract
  }

  /// The same for a request that is taken apart already.
  package func match(_ request: RequestParts, in upstream: Upstream) -> Candidate? {
    guard let index = upstreamsByName[upstream.name] else { return nil }
    let trie = tries[index]
    if let found = trie.candidate(for: request, method: request.method) { return found }
    return request.method == "HEAD" ? trie.candidate(for: request, method: "GET") : nil
  }
}

extension RequestIndex.Trie {
  /// Walks literals before parameters, and goes back where a way ends without an answer.
  fileprivate func candidate(
    for request: RequestParts, method: String
  ) -> RequestIndex.Candidate? {
    var pending = [(node: 0, depth: 0)]
    while let (node, depth) = pending.popLast() {
      guard depth < request.segments.count else {
        let found = nodes[node].candidates[method]?.first {
          request.meets($0.contract.request, in: $0.template)
        }
        if let found { return found }
        continue
      }
      let segment = request.segments[depth]
      if let child = nodes[node].parameter, !segment.isEmpty { pending.append((child, depth + 1)) }
      if let child = nodes[node].literals[segment] { pending.append((child, depth + 1)) }
    }
    return nil
  }
}
