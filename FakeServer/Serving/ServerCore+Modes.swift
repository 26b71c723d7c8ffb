import UnderstudyContractModel

extension ServerCore {
  /// The mode in force for the clients of a session: its own, else the main session's.
  func mode(of place: ModePlace, for session: Session) -> Mode {
    session.modes.all.mode(of: place) ?? mainSession.modes.all.mode(of: place) ?? .fake
  }

  /// Whether a contract of the upstream may have another mode than the upstream.
  func distinguishesContracts(of upstreamName: String, for session: Session) -> Bool {
    [session, mainSession].contains {
      $0.modes.all.distinguishContracts(of: upstreamName)
    }
  }

  /// Called when modes of a session have changed. `then` gets the upstreams whose ports could not
  /// be opened again, once the ports of all others accept clients, or refuse them where the
  /// upstream is off.
  func modesChanged(
    of session: Session, then: @escaping @Sendable (_ unopened: [String]) -> Void = { _ in }
  ) {
    guard session === mainSession else { return then([]) }
    announceChange()
    openPorts(then: then)
  }

  /// Brings the upstreams' own ports in line with the main session's modes.
  func openPorts(then: @escaping @Sendable (_ unopened: [String]) -> Void = { _ in }) {
    let own = listeners.compactMap { listener in listener.upstreamName.map { (listener, $0) } }
    let responses = ResponseCollector<String>(count: own.count) { then(Set($0).sorted()) }
    for (listener, name) in own {
      let isPosted = listener.loop.mailbox.post { [self] loop in
        // What is true now counts, so that the last change decides.
        let accepts = !mainSession.modes.all.turnsOff(name)
        responses.add(loop.accept(accepts, on: listener.number) ? nil : name)
      }
      if !isPosted { responses.add(nil) }
    }
  }
}
