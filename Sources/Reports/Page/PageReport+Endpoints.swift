import UnderstudyCore
import UnderstudyFindings

extension PageReport {
  /// - Parameter isBrief: whether its cases need no more than a line.
  mutating func write(_ endpoint: Outline.Endpoint, isBrief: Bool) {
    text += "<article class=\"endpoint card\">\n<h3>\(Self.escaped(endpoint.id))</h3>\n"
    if let owner = report.owners[endpoint.upstream], !isBrief {
      text += "<p class=\"owner\">owner: \(Self.escaped(owner))</p>\n"
    }
    for served in endpoint.cases {
      if isBrief { writeLine(served) } else { write(served) }
    }
    writeFindings(of: endpoint.cases)
    for served in endpoint.cases { writeHistory(of: served, isOpen: !isBrief) }
    if !isBrief, patchedFiles.contains(where: { $0.hasSuffix("/\(endpoint.id).json") }) {
      text += "<p class=\"note\">What the contract would have to say is in the "
      text += "<a href=\"#patch\">patch</a>.</p>\n"
    }
    text += "</article>\n"
  }

  private mutating func writeLine(_ served: Outline.ServedCase) {
    text += "<p class=\"line\" id=\"\(served.id.percentEncoded)\"><i aria-hidden=\"true\">"
    text += "\(served.state.sign)</i> <b>\(Self.escaped(served.name))</b> "
    let since = since(of: served)
    text +=
      "<span>\(Self.escaped(told(of: served)))\(since.isEmpty ? "" : ", \(since)")</span></p>\n"
  }

  private mutating func write(_ served: Outline.ServedCase) {
    text += "<div class=\"case\" id=\"\(served.id.percentEncoded)\">"
    text += Self.chip(served.state.rawValue, served.state.sign, report.words(served.state))
    text += "<h4>\(Self.escaped(served.name))</h4>"
    text += "<p>\(Self.escaped(told(of: served)))</p>"
    text += "<p class=\"since\">\(since(of: served))</p></div>\n"
  }

  private func since(of served: Outline.ServedCase) -> String {
    if served.unendedDrift != nil, let since = served.history.driftingSince {
      return "drifting since \(since.date)"
    }
    guard let since = served.history.since, served.history.state == served.state else { return "" }
    return "since \(since.date)"
  }

  /// What became of the case, by consumer: `the response differs (431 ms); repos.list failed`.
  private func told(of served: Outline.ServedCase) -> String {
    var predicates: [String] = []
    var subjects: [String: [String]] = [:]
    for check in served.checks {
      let subject = check.identity.consumer ?? (report.isOfDrift ? "the response" : nil)
      let predicate = predicate(of: check)
      if subjects[predicate] == nil { predicates.append(predicate) }
      subjects[predicate, default: []] += subject.map { [$0] } ?? []
    }
    return predicates.map { predicate in
      let names = subjects[predicate] ?? []
      let first = names.dropLast().joined(separator: ", ")
      return [first, first.isEmpty ? "" : "and", names.last ?? "", predicate]
        .filter { !$0.isEmpty }.joined(separator: " ")
    }.joined(separator: "; ")
  }

  private func predicate(of check: Check) -> String {
    let state = DriftState(check.result, check.findings)
    let words: [DriftState: String] =
      report.isOfDrift && check.identity.consumer == nil
      ? [.drifting: "differs", .changed: "differs", .passing: "is as in the contract"] : [:]
    let verb = words[state] ?? check.result.words
    return verb + (check.reason.map { ": \($0)" } ?? "") + (check.effort.map { " (\($0))" } ?? "")
  }

  // MARK: - Past runs

  /// Nothing for a case that was always well: the chart would say no more than its line.
  private mutating func writeHistory(of served: Outline.ServedCase, isOpen: Bool) {
    let runs = served.history.runs.filter { $0.state != .notRun }.suffix(RunsChart.runCountMax)
    guard runs.count > 1, runs.contains(where: { $0.state != .passing }) else { return }
    text += "<details class=\"history\"\(isOpen ? " open" : "")>\n"
    text += "<summary>History of \(Self.escaped(served.name)): \(RunsChart.counts(of: runs))"
    text += "</summary>\n"
    writeTurn(of: served)
    if drawsChart {
      chartCount += 1
      text += RunsChart(of: Array(runs), as: "runs-\(chartCount)").html { at in
        link(toCapturesOf: served.id, at, "captured responses")
      }
    }
    writeTroubles(in: Array(runs), of: served.id)
    text += "</details>\n"
  }

  private mutating func writeTurn(of served: Outline.ServedCase) {
    guard let turn = served.history.turn else { return }
    text += "<p>First bad run: <b>\(Self.time(turn.firstBad.at.rfc3339))</b>"
    text += link(toCapturesOf: served.id, turn.firstBad.at, "captured responses", before: ", ")
    if let good = turn.lastGood {
      text += ". Last good run: <b>\(Self.time(good.at.rfc3339))</b>"
      text += link(toCapturesOf: served.id, good.at, "captured responses", before: ", ")
    } else {
      text += ". No earlier run was good"
    }
    text += ".</p>\n"
  }

  private static let troubleCountMax = 5

  /// The runs that were not as in the contract, the latest first; equal ones in a row are one line.
  private mutating func writeTroubles(in runs: [CaseHistory.Run], of caseID: String) {
    var spans: [(first: CaseHistory.Run, last: CaseHistory.Run, count: Int)] = []
    for run in runs {
      if let span = spans.last, span.last.state == run.state,
        span.last.reasonWords == run.reasonWords
      {
        spans[spans.count - 1] = (span.first, run, span.count + 1)
      } else {
        spans.append((run, run, 1))
      }
    }
    let troubles = spans.filter { $0.first.state != .passing }.suffix(Self.troubleCountMax)
    text += "<ul class=\"note\">\n"
    for (first, last, count) in troubles.reversed() {
      let days = first.at.date == last.at.date ? "" : " to \(last.at.date)"
      let runs = count > 1 ? " in \(count.of("run"))" : ""
      text += "<li>\(first.at.date)\(days): \(last.state.words)\(runs)"
      text += "\(Self.escaped(last.reasonWords))"
      text += link(toCapturesOf: caseID, last.at, "captured responses", before: ", ")
      text += "</li>\n"
    }
    text += "</ul>\n"
  }

  private func link(
    toCapturesOf caseID: String, _ at: Moment, _ words: String, before: String = ""
  ) -> String {
    guard let file = context.captures(caseID, at) else { return "" }
    guard let address = context.address(of: file) else {
      return "\(before)<code>\(Self.escaped(file))</code>"
    }
    return "\(before)<a href=\"\(address)\">\(words)</a>"
  }
}
