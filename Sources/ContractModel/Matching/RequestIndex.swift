import UnderstudySystem

/// Finds the contract that responds to a request, at a cost independent of their number.
///
/// Built once and never changed. It works on raw bytes: a path without parameters is one lookup,
/// any other is walked segment by segment, and strings are created only for a contract with more
/// conditions than method and path.
///
/// The folder decides which contract a request is for, and says why not. Read `Request`, then this
/// file, `RequestIndex+Routing` (which upstream) and `RequestIndex+Finding` (which contract), and
/// `Candidate+Precedence`, which orders contracts that all match. `BodyCondition+Matching` looks at
/// bodies, `LiveCases` and `ForcedCase` help to choose a case, `Contract+ExampleRequest` goes from
/// a contract to its request, and `NearMiss` and `Explanation` describe what differs.
///
/// Where several contracts match, the order of files never decides: precedence does, then the name,
/// and lint reports contracts of equal precedence.
package final class RequestIndex: @unchecked Sendable {
  /// A contract by one of its paths.
  package final class Candidate: Sendable {
    package let contract: Contract
    package let template: PathTemplate
    /// The contract's index among those of all upstreams, in order.
    package let contractNumber: Int
    /// `nil` when no live request serves a case other than the default.
    let liveCases: LiveCases?
    /// Its contract's, if its upstream ranks them.
    let rank: ContractRank?

    init(
      contract: Contract, template: PathTemplate, contractNumber: Int, liveCases: LiveCases?,
      rank: ContractRank?
    ) {
      self.contract = contract
      self.template = template
      self.contractNumber = contractNumber
      self.liveCases = liveCases
      self.rank = rank
    }
  }

  /// The parts of a candidate needed to find it.
  struct Lead: Sendable {
    let method: Int32
    let isAsking: Bool
    let hasLiveCases: Bool
    let contractNumber: Int32
  }

  /// A node in the tree of path segments; the first nodes are the roots of the upstreams.
  struct Node: Sendable {
    var parameter: Int32 = -1
    /// The node of the contracts that take all further segments.
    var tail: Int32 = -1
    var firstLead: Int32 = 0
    var leadCount: Int32 = 0
    /// Whether it has literal children.
    var hasLiterals = false
  }

  package let upstreams: [Upstream]
  let basePaths: [[UInt8]]
  let hosts: HostTable
  /// By name, in context 0.
  let upstreamNumbers: ByteTable
  /// By spelling, in context 0.
  let methods: ByteTable
  /// Child nodes of literal segments, by their parent node.
  let literals: ByteTable
  /// The nodes of paths without parameters, by upstream.
  let wholePaths: ByteTable
  /// The decoded paths of live requests that serve a case other than the default, by contract.
  let livePaths: ByteTable
  // SAFETY: filled by `init` and freed by `deinit`; node and lead numbers come from `init`, too.
  let nodes: UnsafeMutableBufferPointer<Node>
  let leads: UnsafeMutableBufferPointer<Lead>
  /// Candidates and leads have the same indices.
  package let candidates: [Candidate]
  /// The number of segments of the longest path.
  let depthMax: Int
  /// Whether a contract takes all further segments of a path.
  let hasTails: Bool
  /// The upstreams that rank their contracts.
  let ranked: Set<Int>
  /// The number of the first contract of each upstream, and at the end the number of all.
  private let firstContractNumbers: [Int]

  package init(_ upstreams: [Upstream]) {
    self.upstreams = upstreams
    basePaths = upstreams.map { Array($0.basePath.utf8) }
    var upstreamNumbers = ByteTable()
    var builder = Builder(rootCount: upstreams.count)
    var contractCount = 0
    let liveCases = AllProcessors.map(upstreams.flatMap(\.contracts), itemsAtOnce: 64) {
      LiveCases(of: $0)
    }
    var firstContractNumbers: [Int] = []
    for (index, upstream) in upstreams.enumerated() {
      _ = upstreamNumbers.insert(upstream.name, in: 0, value: index)
      firstContractNumbers.append(contractCount)
      for contract in upstream.contracts {
        for template in contract.request.paths {
          let candidate = Candidate(
            contract: contract, template: template, contractNumber: contractCount,
            liveCases: liveCases[contractCount], rank: upstream.ranks?[contract.name])
          builder.insert(candidate, upstream: index)
        }
        contractCount += 1
      }
    }
    self.firstContractNumbers = firstContractNumbers + [contractCount]
    hosts = HostTable(upstreams)
    ranked = Set(upstreams.indices.filter { upstreams[$0].ranks != nil })
    candidates = builder.sortCandidates()
    nodes = .allocate(capacity: builder.nodes.count)
    _ = nodes.initialize(from: builder.nodes)
    leads = .allocate(capacity: builder.leads.count)
    _ = leads.initialize(from: builder.leads)
    depthMax = builder.depthMax
    hasTails = builder.hasTails
    self.upstreamNumbers = upstreamNumbers
    methods = builder.methods
    literals = builder.literals
    wholePaths = builder.wholePaths
    livePaths = builder.livePaths
  }

  deinit {
    nodes.deallocate()
    leads.deallocate()
  }

  package func upstream(named name: String) -> Upstream? {
    upstreamNumbers.find(name, in: 0).map { upstreams[$0] }
  }

  package var contractCount: Int { firstContractNumbers.last ?? 0 }

  /// The number of the contract of this name.
  package func contractNumber(named name: String, of upstreamName: String) -> Int? {
    guard let number = upstreamNumbers.find(upstreamName, in: 0),
      let index = upstreams[number].index(ofContract: name)
    else { return nil }
    return firstContractNumbers[number] + index
  }

  /// The contracts with their numbers, those of one upstream or of all.
  package func numberedContracts(
    of upstreamName: String? = nil
  ) -> [(number: Int, contract: Contract)] {
    let found = upstreamName.map { name in
      upstreamNumbers.find(name, in: 0).map { $0..<$0 + 1 } ?? 0..<0
    }
    return (found ?? upstreams.indices).flatMap { number in
      upstreams[number].contracts.enumerated().map {
        (firstContractNumbers[number] + $0.offset, $0.element)
      }
    }
  }

  /// The contract of this upstream that responds to a request whose path is relative to the base
  /// URL.
  package func contract(for request: Request, in upstream: Upstream) -> Contract? {
    match(RequestParts(request), in: upstream)?.contract
  }

  /// The contract of this upstream that responds to a parsed request.
  ///
  /// - Parameters:
  ///   - hidden: the numbers of contracts that match nothing.
  ///   - serves: whether a contract without a default case has one for the request.
  package func match(
    _ request: RequestParts, in upstream: Upstream, hiding hidden: NumberSet? = nil,
    serves: (Candidate, any RequestFields) -> Bool = { $0.unsteeredCase(for: $1) != nil }
  ) -> Candidate? {
    guard let index = upstreamNumbers.find(upstream.name, in: 0), request.segments != [""] else {
      return nil
    }
    var method = request.method
    return method.withUTF8 { method in
      Self.joined(request.segments).withUnsafeBytes { path in
        lead(
          UnsafeRawBufferPointer(method), path, separator: Self.decodedSeparator, upstream: index,
          hidden, parts: { request }, serves
        ).map { candidates[$0] }
      }
    }
  }
}

extension RequestIndex {
  private struct Builder: ~Copyable {
    var methods = ByteTable()
    var literals = ByteTable()
    var wholePaths = ByteTable()
    var livePaths = ByteTable()
    var nodes: [Node]
    var leads: [Lead] = []
    var depthMax = 0
    var hasTails = false
    private var placed: [(node: Int, candidate: Candidate)] = []
    private var methodCount = 0

    init(rootCount: Int) {
      nodes = Array(repeating: Node(), count: rootCount)
    }

    mutating func insert(_ candidate: Candidate, upstream: Int) {
      var node = upstream
      var path: String? = ""
      for segment in candidate.template.segments {
        let parent = node
        switch segment {
        case .literal(let text):
          nodes[node].hasLiterals = true
          node = child(literals.insert(text, in: node, value: nodes.count))
          let isPlain = !text.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "%") }
          path = isPlain ? path.map { "\($0)/\(text)" } : nil
        case .parameter:
          node = child(nodes[node].parameter)
          nodes[parent].parameter = Int32(node)
          path = nil
        }
      }
      if candidate.template.tail != nil {
        let parent = node
        node = child(nodes[node].tail)
        nodes[parent].tail = Int32(node)
        path = nil
        hasTails = true
      }
      if let path { _ = wholePaths.insert(path.isEmpty ? "/" : path, in: upstream, value: node) }
      for path in candidate.liveCases?.otherPaths(by: candidate.template) ?? [] {
        _ = livePaths.insert(path, in: candidate.contractNumber, value: 0)
      }
      depthMax = max(depthMax, candidate.template.segments.count)
      placed.append((node, candidate))
    }

    private mutating func child(_ node: Int) -> Int {
      if node == nodes.count { nodes.append(Node()) }
      return node
    }

    /// The node with this number, or a new one for a negative number.
    private mutating func child(_ number: Int32) -> Int {
      child(number < 0 ? nodes.count : Int(number))
    }

    /// Sorts candidates by their nodes, and at each node by their turns.
    mutating func sortCandidates() -> [Candidate] {
      placed.sort { left, right in
        left.node == right.node
          ? left.candidate.precedesOnItsPath(right.candidate) : left.node < right.node
      }
      for (node, candidate) in placed {
        let request = candidate.contract.request
        let method = methods.insert(request.method, in: 0, value: methodCount)
        methodCount = max(methodCount, method + 1)
        if nodes[node].leadCount == 0 { nodes[node].firstLead = Int32(leads.count) }
        nodes[node].leadCount += 1
        leads.append(
          Lead(
            method: Int32(method),
            isAsking: request.conditionCount > 0 || candidate.contract.defaultCaseIndex == nil,
            hasLiveCases: candidate.liveCases != nil,
            contractNumber: Int32(candidate.contractNumber)))
      }
      return placed.map(\.candidate)
    }
  }
}
