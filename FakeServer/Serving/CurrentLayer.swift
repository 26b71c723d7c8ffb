import UnderstudyContractModel

/// A layer of the contracts at the time of a port's last request, and the numbers of their served
/// cases.
///
/// Each port's server has its own, and uses it only on its thread.
final class CurrentLayer {
  let layer: Layer
  let library: ServableLibrary
  let index: RequestIndex
  let below: CurrentLayer?
  /// Differs from the core's number when contracts were replaced.
  let number: Int
  /// The number of the upstream that the port stands for; `nil` where it stands for none.
  let upstream: Int?
  /// Whether modes are set, or requests recorded, for clients without a session.
  let isSteered: Bool
  /// By case number; negative where there is none yet. Empty where they are not kept.
  @exclusivity(unchecked) private var servedNumbers: [Int32] = []
  private let servedCases: ServedCases

  /// The contracts for clients without a session.
  ///
  /// - Parameter old: those of the last request, whose numbers of served cases it takes over.
  convenience init(
    of core: ServerCore, forPortOf upstreamName: String?, after old: CurrentLayer? = nil
  ) {
    // Contracts or modes changed meanwhile leave an old number, so they are read again.
    let number = core.contractNumber
    self.init(
      core.layer, number, core.servedCases, upstreamName,
      isSteered: !core.mainSession.modes.isEmpty || core.recordings.relay(of: "") != nil)
    var layer: CurrentLayer? = self
    while let current = layer {
      current.servedNumbers =
        old?.takeServedNumbers(of: current.layer.library)
        ?? Array(repeating: -1, count: current.layer.library.caseCount)
      layer = current.below
    }
  }

  /// The contracts for clients of a session, used for one request.
  convenience init(of session: Session, of core: ServerCore) {
    self.init(core.layer(of: session), 0, core.servedCases, nil, isSteered: false)
  }

  init(
    _ layer: Layer, _ number: Int, _ servedCases: ServedCases, _ upstreamName: String?,
    isSteered: Bool
  ) {
    self.layer = layer
    self.number = number
    self.isSteered = isSteered
    self.servedCases = servedCases
    library = layer.library
    index = layer.library.index
    // One that it does not have leads to none of its contracts.
    upstream = upstreamName.map { layer.library.index.upstreamNumber(of: $0) ?? -1 }
    below = layer.below.map {
      CurrentLayer($0, number, servedCases, upstreamName, isSteered: isSteered)
    }
  }

  /// The numbers of a library that it has, which it then no longer keeps.
  private func takeServedNumbers(of library: ServableLibrary) -> [Int32]? {
    guard layer.library === library else { return below?.takeServedNumbers(of: library) }
    defer { servedNumbers = [] }
    return servedNumbers
  }

  /// The number of a served case for records.
  func servedNumber(ofCase number: Int) -> Int32 {
    let served = number < servedNumbers.count ? servedNumbers[number] : -1
    return served >= 0 ? served : makeServedNumber(ofCase: number)
  }

  private func makeServedNumber(ofCase number: Int) -> Int32 {
    let served = servedCases.number(of: layer.library.served(number))
    if number < servedNumbers.count { servedNumbers[number] = served }
    return served
  }
}

extension CurrentLayer {
  /// The contract that responds to a request to an upstream, and its layer.
  func match(
    _ request: RequestParts, in upstream: Upstream,
    serves: (RequestIndex.Candidate, any RequestFields) -> Bool
  ) -> (RequestIndex.Candidate, CurrentLayer)? {
    first(
      where: { current in
        let index = current.layer.library.index
        return index.upstream(named: upstream.name).flatMap {
          index.match(request, in: $0, hiding: current.layer.hidden, serves: serves)
        }
      }, candidate: { found, _ in found })
  }

  /// What the first layer has that has anything; of layers that are asked together, what precedes.
  func first<Found>(
    where find: (CurrentLayer) -> Found?,
    candidate: (Found, CurrentLayer) -> RequestIndex.Candidate
  ) -> (Found, CurrentLayer)? {
    var best: (Found, CurrentLayer)?
    var current = self
    while true {
      if let found = find(current),
        best.map({ candidate(found, current).precedes(candidate($0.0, $0.1)) }) ?? true
      {
        best = (found, current)
      }
      guard let below = current.below, best == nil || current.layer.isBesideBelow else {
        return best
      }
      current = below
    }
  }
}
