import UnderstudyCore
import UnderstudyFindings

extension Outline {
  /// The result in a sentence: `Drift from the contracts at 2 endpoints.`
  var headline: String {
    let driftCount = endpoints(.drifting).count
    if driftCount > 0 {
      let endpoints = driftCount.of("endpoint")
      return switch report.run.words.verb {
      case "drift": "Drift from the contracts at \(endpoints)."
      case "lint": "Problems in the contracts of \(endpoints)."
      default: "Consumers fail the contracts at \(endpoints)."
      }
    }
    let states = Set(cases.map(\.state))
    let isChecked = !states.isDisjoint(with: [.passing, .changed])
    let changedCount = endpoints(.changed).count
    let summary =
      if report.run.words.verb == "lint" {
        "the contracts are valid"
      } else if !report.isOfDrift {
        "consumers behave as the contracts say"
      } else if changedCount > 0 {
        "\(changedCount.of("endpoint")) changed without breaking anything"
      } else {
        "nothing differs from the contracts"
      }
    var words =
      !isChecked
      ? "nothing \(states.contains(.unreachable) ? "could be checked" : "was exercised")"
      : states.contains(.unreachable) ? "as far as could be checked, \(summary)" : summary
    if report.findings.contains(where: { $0.severity < .note }) {
      words += ", \(isChecked ? "but" : "and") the run as a whole has problems"
    }
    return words.prefix(1).uppercased() + words.dropFirst() + "."
  }

  /// What broke, each with the cases by which it broke, in the order of the report.
  var breakages: [Breakage] {
    var breakages: [Breakage] = []
    var places: [[String?]: Int] = [:]
    func add(_ consumer: String?, _ caseID: String, _ reason: String) {
      if let place = places[[consumer, reason]] {
        breakages[place].caseIDs.append(caseID)
      } else {
        places[[consumer, reason]] = breakages.count
        breakages.append(Breakage(consumer: consumer, caseIDs: [caseID], reason: reason))
      }
    }
    let broken = report.brokenConsumers
    for one in broken { add(one.name, one.caseID, one.causeWords) }
    let told = Set(broken.map(\.caseID))
    for served in cases where served.standing == .drifting && !told.contains(served.id) {
      if served.unendedDrift != nil {
        let since = served.history.driftingSince.map { "drifting since \($0.date), and " } ?? ""
        add(nil, served.id, "\(since)could not be checked now")
      }
      for check in served.checks where check.result == .fail {
        let messages = check.findings.filter { $0.severity <= report.run.failsOn }.map(\.message)
        let rest = messages.count > 1 ? ", and \(messages.count - 1) more" : ""
        add(check.identity.consumer, served.id, "\(messages.first ?? "")\(rest)")
      }
    }
    return breakages
  }
}

/// A consumer that fails, or responses that differ, for one reason.
struct Breakage {
  let consumer: String?
  fileprivate(set) var caseIDs: [String]
  let reason: String
}
