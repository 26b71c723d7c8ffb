import UnderstudyCore
import UnderstudyFindings

/// Wording that several reports share.
extension Run {
  /// `understudy test 0.1.0, seed 7, shard 2/8, 4.2 s`
  var title: String {
    let parts = [
      "\(command) \(toolVersion)", seed.map { "seed \($0)" }, shard.map { "shard \($0)" },
      duration.words,
    ]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }
}

extension Report {
  /// `nil` for a shard: what stays unexercised is known only after joining.
  var coverageWords: String? {
    guard !checks.isEmpty, run.shard == nil else { return nil }
    return "coverage: \(exercisedCount) of \(checks.count)"
  }

  /// The state of a case, in words that suit the run.
  func words(_ state: DriftState) -> String {
    if isOfDrift { return state.words }
    return switch state {
    case .passing: "passed"
    case .changed: "remarked"
    case .drifting: "failed"
    case .unreachable: "unchecked"
    case .notRun: "not run"
    }
  }

  /// Above the cases of this state.
  func title(_ standing: DriftState) -> String {
    switch standing {
    case .drifting: isOfDrift ? "Drifting" : "Failed"
    case .unreachable: "Could not be checked"
    case .changed: isOfDrift ? "Changed without breaking anything" : "Passed, with remarks"
    case .passing: isOfDrift ? "As in the contracts" : "Passed"
    case .notRun: "Not exercised"
    }
  }
}

/// Checks without a result, as one line of a list.
struct ReasonLine {
  /// `joke/random-joke#ok`, or `37 checks of joke`
  let subject: String
  let reason: String
}

extension [Check] {
  /// More checks of one upstream with the same reason are one line.
  private static let sameReasonMax = 2

  /// In order of their first checks, each with the day since which it drifts.
  func reasonLines(_ history: History) -> [ReasonLine] {
    let keys = map { [$0.identity.upstream, $0.reason(history)] }
    let counts = Dictionary(keys.map { ($0, 1) }, uniquingKeysWith: +)
    var folded: Set<[String]> = []
    return zip(self, keys).compactMap { check, key in
      let count = counts[key] ?? 0
      guard count > Self.sameReasonMax else {
        return ReasonLine(subject: "\(check.identity)", reason: key[1])
      }
      guard folded.insert(key).inserted else { return nil }
      return ReasonLine(subject: "\(count.of("check")) of \(key[0])", reason: key[1])
    }
  }
}

extension Check {
  /// Why it was not checked, and since when its case drifts: that has not ended.
  fileprivate func reason(_ history: History) -> String {
    let past = history[identity.caseID]
    guard result == .couldNotCheck, past.unendedDrift != nil, let since = past.driftingSince else {
      return reason ?? ""
    }
    return "\(reason ?? ""); drifting since \(since.date)"
  }

  /// `3 attempts, 1.2 s`; `nil` when neither is notable.
  var effort: String? {
    var parts: [String] = []
    if attemptCount > 1 { parts.append("\(attemptCount) attempts") }
    if duration > .zero { parts.append(duration.words) }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

extension Finding {
  var label: String { "\(severity.rawValue) \(type.rawValue)" }

  /// The beginning of the diff; JSON has all of it. A body may be a single line of megabytes.
  var shortDiff: [String] {
    let (linesMax, lengthMax) = (60, 300)
    let lines = diff.prefix(linesMax).map { line in
      let start = line.unicodeScalars.prefix(lengthMax)
      return start.endIndex == line.endIndex ? line : String(start) + "…"
    }
    return diff.count > linesMax
      ? lines + ["… and \((diff.count - linesMax).of("more line"))"] : lines
  }
}

extension Duration {
  /// `0.012`
  var seconds: String {
    let milliseconds = milliseconds
    let fraction = String(milliseconds % 1_000)
    return "\(milliseconds / 1_000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
  }
}
