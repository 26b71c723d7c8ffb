import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// Finds ways of sending a response that cannot go together.
struct DeliveryLint {
  let contract: Contract
  let complaints: Complaints

  func check(_ served: Case) {
    checkDefault(served)
    guard let response = served.response else { return }
    checkFault(of: served, response)
    if case .events = response.body { return checkEvents(served, response) }
    refuseEvent(of: served, "in a response without \"events\"")
    if response.hasRanges { checkRanges(served, response) }
    if response.hasTag { checkTag(served, response) }
  }

  // MARK: - Faults

  private func checkDefault(_ served: Case) {
    guard let fault = served.fault, fault.isInHandshake, served === contract.defaultCase,
      let place = served.source["fault"]
    else { return }
    complaints.add(
      .badValue, at: place,
      "\(fault.rawValue) turns every client away before its request is known, so it cannot be the"
        + " default case",
      fix: "name another case in \"default\", and choose this one by hand or in a script")
  }

  /// Reports a fault that clients cannot notice, because the response is complete without the part
  /// that it breaks.
  private func checkFault(of served: Case, _ response: Response) {
    guard let fault = served.fault, fault.breaksBody, let place = served.source["fault"] else {
      return
    }
    func complain(_ reason: String, fix: String) {
      complaints.add(.badValue, at: place, "\(fault.rawValue) breaks nothing: \(reason)", fix: fix)
    }
    if fault != .malformedResponseChunk, contract.request.method == "HEAD" {
      complain(
        "a response to HEAD has no body",
        fix: "choose another fault, such as \(Fault.connectionResetByPeer.rawValue)")
    } else if !response.allowsBody {
      complain(
        "a response of status \(response.status) has no body", fix: "choose another status")
    } else if fault == .malformedResponseChunk, response.version == .http10 {
      complain("HTTP/1.0 has no chunks", fix: "remove \"version\"")
    } else if fault.isInBody, served.events == nil, response.framing == .length,
      !served.hasBytesInBody
    {
      complain("the response has no body", fix: "add a body, or use \"framing\": \"chunked\"")
    } else if fault == .tlsClosedWithoutNotice, response.framing != .close {
      complain("the response itself says where it ends", fix: "use \"framing\": \"close\"")
    } else if fault == .tlsClosedWithoutNotice, case .empty? = served.malformation {
      complain("an emptied response has a length", fix: "remove \"malform\"")
    }
  }

  // MARK: - Events

  private func checkEvents(_ served: Case, _ response: Response) {
    refuse(["encoding", "pace"], beside: "events", of: served)
    if response.hasRanges { refuse(["ranges"], beside: "events", of: served) }
    if response.hasTag { refuse(["etag"], beside: "events", of: served) }
    if response.framing == .length, let place = served.source["framing"] {
      complaints.add(
        .badValue, at: place, "found events with a length, expected a stream without one",
        fix: "use \"chunked\" or \"close\"")
    }
    if case .atByte = served.stall, let place = served.source["stall"] {
      complaints.add(
        .badValue, at: place, "\"events\" cannot stall at a byte",
        fix: "write { \"atEvent\": 1 }")
    }
    guard let events = served.events else {
      return refuseEvent(of: served, "in events that are malformed")
    }
    for (number, place) in [
      (served.stall?.event, served.source["stall"]?["atEvent"]),
      (served.faultEvent, served.source["fault"]?["atEvent"]),
    ] {
      guard let number, let place, number > events.count else { continue }
      complaints.add(
        .badValue, at: place, "found event \(number), expected one from 0 to \(events.count)")
    }
  }

  private func refuseEvent(of served: Case, _ reason: String) {
    guard served.stall?.event != nil || served.faultEvent != nil else { return }
    for key in ["stall", "fault"] {
      guard let place = served.source[key]?["atEvent"] else { continue }
      complaints.add(.badValue, at: place, "\"atEvent\" cannot be used \(reason)", fix: "remove it")
    }
  }

  // MARK: - Conditional requests

  private func checkRanges(_ served: Case, _ response: Response) {
    refuse(["encoding", "malform", "fault", "stall"], beside: "ranges", of: served)
    guard let place = served.source["ranges"] else { return }
    if !["GET", "HEAD"].contains(contract.request.method) {
      complaints.add(
        .badValue, at: place,
        "found \"ranges\" in a response to \(contract.request.method), expected one to GET",
        fix: "remove it: only GET asks for parts of a body")
    }
    checkBody(response, "ranges", at: place)
  }

  private func checkTag(_ served: Case, _ response: Response) {
    refuse(["malform", "fault"], beside: "etag", of: served)
    if let place = served.source["etag"] { checkBody(response, "etag", at: place) }
  }

  private func checkBody(_ response: Response, _ key: String, at place: JSONValue) {
    guard response.status != 200 || response.bodyBytes.isEmpty else { return }
    complaints.add(
      .badValue, at: place,
      "found \"\(key)\" in a response of status \(response.status)"
        + (response.bodyBytes.isEmpty ? " without a body" : "")
        + ", expected status 200 and a body",
      fix: "remove it")
  }

  private func refuse(_ keys: [String], beside other: String, of served: Case) {
    for key in keys {
      guard let place = served.source[key] else { continue }
      complaints.add(
        .conflictingKeys, at: place,
        "\"\(key)\" and \"\(other)\" cannot be combined",
        fix: key == "pace" ? "give each event its \"after\"" : "remove one of the two")
    }
  }
}

extension Fault {
  /// Whether only a body can show it.
  fileprivate var breaksBody: Bool {
    isInBody || self == .malformedResponseChunk || self == .tlsClosedWithoutNotice
  }
}

extension Case {
  /// Whether a body is sent, or announced: an empty one that is compressed has bytes, too.
  fileprivate var hasBytesInBody: Bool {
    if !bodyBytes.isEmpty || response?.encoding != nil { return true }
    return switch malformation {
    case .gzip, .contentLengthOff: true
    default: false
    }
  }
}
