import UnderstudyContractModel

/// A layer of the contracts at the time of a port's last request, and the labels of their played
/// cases.
///
/// Each port's server has its own, and uses it only on its thread.
final class CurrentLayer {
  let layer: Layer
  let library: Unretained<PlayableLibrary>
  let index: Unretained<RequestIndex>
  let below: CurrentLayer?
  /// Differs from the core's number when contracts were replaced.
  let number: Int
  /// The number of the upstream that the port stands for; `nil` where it stands for none.
  let upstream: Int?
  /// Whether modes are set for clients without a session, and so for those of each.
  let hasModes: Bool
  /// By case number; negative where there is none yet. Empty where they are not kept.
  @exclusivity(unchecked) private var labels: [Int32]
  private let playedCases: PlayedCases

  /// The contracts for clients without a session.
  convenience init(of core: ServerCore, forPortOf upstreamName: String?) {
    // Contracts or modes changed meanwhile leave an old number, so they are read again.
    let number = core.contractNumber
    self.init(
      core.layer, number, core.playedCases, upstreamName,
      hasModes: !core.mainSession.modes.isEmpty, keepsLabels: true)
  }

  /// Those for clients of a session, used once.
  convenience init(of session: Session, of core: ServerCore) {
    self.init(
      core.layer(of: session), 0, core.playedCases, nil, hasModes: false, keepsLabels: false)
  }

  private init(
    _ layer: Layer, _ number: Int, _ playedCases: PlayedCases, _ upstreamName: String?,
    hasModes: Bool, keepsLabels: Bool
  ) {
    self.layer = layer
    self.number = number
    self.hasModes = hasModes
    self.playedCases = playedCases
    library = Unretained(layer.library)
    index = Unretained(layer.library.index)
    // One that it does not have leads to none of its contracts.
    upstream = upstreamName.map { layer.library.index.upstreamNumber(of: $0) ?? -1 }
    labels = keepsLabels ? Array(repeating: -1, count: layer.library.caseCount) : []
    below = layer.below.map {
      CurrentLayer(
        $0, number, playedCases, upstreamName, hasModes: hasModes, keepsLabels: keepsLabels)
    }
  }

  /// The number of a played case for records.
  @inline(__always)
  func label(ofCase number: Int) -> Int32 {
    let label = number < labels.count ? labels[number] : -1
    return label >= 0 ? label : makeLabel(ofCase: number)
  }

  @inline(never)
  private func makeLabel(ofCase number: Int) -> Int32 {
    let label = playedCases.number(of: layer.library.played(number))
    if number < labels.count { labels[number] = label }
    return label
  }
}

extension CurrentLayer {
  /// Where a request leads, by the first layer that knows.
  func route(
    _ request: Request, orWhere isNamed: (String) -> Bool
  ) -> RequestIndex.Route? {
    layer.library.index.route(request, orWhere: isNamed)
      ?? below?.route(request, orWhere: isNamed)
  }

  /// The contract that answers a request to an upstream, and its layer.
  func match(
    _ request: RequestParts, in upstream: Upstream,
    plays: (RequestIndex.Candidate, any RequestFields) -> Bool
  ) -> (RequestIndex.Candidate, CurrentLayer)? {
    let index = layer.library.index
    if let own = index.upstream(named: upstream.name),
      let found = index.match(request, in: own, hiding: layer.hidden, plays: plays)
    {
      return (found, self)
    }
    return below?.match(request, in: upstream, plays: plays)
  }
}

/// A reference to a longer-lived object that is not counted: threads that count references to one
/// object for every request wait for each other.
struct Unretained<Object: AnyObject> {
  // SAFETY: the owner of this value also owns the object, directly or indirectly.
  private let object: Unmanaged<Object>

  init(_ object: Object) {
    self.object = .passUnretained(object)
  }

  @inline(__always)
  func use<Value>(_ body: (Object) -> Value) -> Value {
    object._withUnsafeGuaranteedRef(body)
  }
}
