// What those who listen to the server's events are told of its requests.
extension PortServer {
  /// Tells of a request that is held, or whose outcome is known.
  func tellListeners(of slot: JournalRing.Slot) {
    guard let copy = journal.copy(at: slot) else { return }
    core.events.add(copy.record.outcome == .held ? .held(copy) : .request(copy))
  }

  /// Tells of a held response that is released with this script, before the request log is changed.
  func tellListeners(
    ofRelease script: WireScript, at slot: JournalRing.Slot, _ sessionName: String
  ) {
    guard let record = journal.record(at: slot), record.outcome == .held else { return }
    let held = core.servedCases[Int(record.servedNumber)]
    let served = script.caseNumber.map { core.servedCases[Int($0)] }
    // Without a status and a case, the connection is reset.
    let name = script.status == 0 ? served?.caseName : (served ?? held).caseName
    core.events.add(
      .released(id: record.sequence, contract: held.contract, caseName: name),
      session: sessionName)
  }
}
