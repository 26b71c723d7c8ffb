import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// Finds ways of sending an answer that cannot go together.
struct DeliveryLint {
  let contract: Contract
  let complaints: Complaints

  func check(_ played: Case) {
    guard let response = played.response else { return }
    if case .events = response.body { return checkEvents(played, response) }
    refuseEvent(of: played, "in an answer without \"events\"")
    if response.hasRanges { checkRanges(played, response) }
    if response.hasTag { checkTag(played, response) }
  }

  // MARK: - Events

  private func checkEvents(_ played: Case, _ response: Response) {
    refuse(["encoding", "pace"], beside: "events", of: played)
    if response.hasRanges { refuse(["ranges"], beside: "events", of: played) }
    if response.hasTag { refuse(["etag"], beside: "events", of: played) }
    if response.framing == .length, let place = played.source["framing"] {
      complaints.add(
        .badValue, at: place, "found events with a length, expected a stream without one",
        fix: "use \"chunked\" or \"close\"")
    }
    if case .atByte = played.stall, let place = played.source["stall"] {
      complaints.add(
        .badValue, at: place, "found a stall at a byte of \"events\"",
        fix: "write { \"atEvent\": 1 }")
    }
    guard let events = played.events else {
      return refuseEvent(of: played, "in events that are malformed")
    }
    for (number, place) in [
      (played.stall?.event, played.source["stall"]?["atEvent"]),
      (played.faultEvent, played.source["fault"]?["atEvent"]),
    ] {
      guard let number, let place, number > events.count else { continue }
      complaints.add(
        .badValue, at: place, "found event \(number), expected one from 0 to \(events.count)")
    }
  }

  private func refuseEvent(of played: Case, _ reason: String) {
    guard played.stall?.event != nil || played.faultEvent != nil else { return }
    for key in ["stall", "fault"] {
      guard let place = played.source[key]?["atEvent"] else { continue }
      complaints.add(.badValue, at: place, "found \"atEvent\" \(reason)", fix: "remove it")
    }
  }

  // MARK: - Conditional requests

  private func checkRanges(_ played: Case, _ response: Response) {
    refuse(["encoding", "malform", "fault", "stall"], beside: "ranges", of: played)
    guard let place = played.source["ranges"] else { return }
    if !["GET", "HEAD"].contains(contract.request.method) {
      complaints.add(
        .badValue, at: place,
        "found \"ranges\" in an answer to \(contract.request.method), expected one to GET",
        fix: "remove it: only GET asks for parts of a body")
    }
    checkBody(response, "ranges", at: place)
  }

  private func checkTag(_ played: Case, _ response: Response) {
    refuse(["malform", "fault"], beside: "etag", of: played)
    if let place = played.source["etag"] { checkBody(response, "etag", at: place) }
  }

  private func checkBody(_ response: Response, _ key: String, at place: JSONValue) {
    guard response.status != 200 || response.bodyBytes.isEmpty else { return }
    complaints.add(
      .badValue, at: place,
      "found \"\(key)\" in an answer of status \(response.status)"
        + (response.bodyBytes.isEmpty ? " without a body" : "")
        + ", expected status 200 and a body",
      fix: "remove it")
  }

  private func refuse(_ keys: [String], beside other: String, of played: Case) {
    for key in keys {
      guard let place = played.source[key] else { continue }
      complaints.add(
        .conflictingKeys, at: place,
        "found \"\(key)\" beside \"\(other)\", which cannot be combined",
        fix: key == "pace" ? "give each event its \"after\"" : "remove one of the two")
    }
  }
}
