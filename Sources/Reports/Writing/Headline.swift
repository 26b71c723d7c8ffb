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
      ? "nothing could be checked"
      : states.contains(.unreachable) ? "as far as could be checked, \(summary)" : summary
    if report.findings.contains(where: { $0.severity < .note }) {
      words += ", \(isChecked ? "but" : "and") the run as a whole has problems"
    }
    return words.prefix(1).uppercased() + words.dropFirst() + "."
  }

  /// What broke, each with the case by which it broke, in the order of the report.
  var breakages: [Breakage] {
    let known = report.brokenConsumers.map {
      Breakage(consumer: $0.name, caseID: $0.caseID, reason: $0.causeWords)
    }
    let told = Set(known.map(\.caseID))
    return known
      + cases.filter { $0.standing == .drifting && !told.contains($0.id) }.flatMap(breakages)
  }

  private func breakages(of served: ServedCase) -> [Breakage] {
    if served.unendedDrift != nil {
      let reason =
        served.history.driftingSince.map {
          "drifting since \($0.date), and could not be checked now"
        } ?? ""
      return [Breakage(consumer: nil, caseID: served.id, reason: reason)]
    }
    return served.checks.filter { $0.result == .fail }.map { check in
      let messages = check.findings.filter { $0.severity <= report.run.failsOn }.map(\.message)
      let rest = messages.count > 1 ? ", and \(messages.count - 1) more" : ""
      return Breakage(
        consumer: check.identity.consumer, caseID: served.id,
        reason: "\(messages.first ?? "")\(rest)")
    }
  }
}

/// A consumer that fails, or a response that differs.
struct Breakage {
  let consumer: String?
  let caseID: String
  let reason: String
}
