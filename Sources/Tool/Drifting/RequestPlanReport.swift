import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFindings
import UnderstudyJSON

/// What `understudy drift --dry-run` prints.
struct RequestPlanReport {
  private let plan: RequestPlan

  init(_ plan: RequestPlan) { self.plan = plan }

  // MARK: - For people

  func writeText(to stream: inout TextStream) {
    for part in plan.parts {
      stream.write(inLine: part.upstream.name, .bold)
      stream.write("  ")
      stream.write(inLine: "\(part.upstream.baseURL)")
      stream.write("\n")
      let rows = part.requests.map { request in
        ["\(request.method) \(path(request, part))", request.caseID, request.consumer ?? ""]
      }
      for line in TextLayout.aligned(rows, indent: 2) {
        stream.write(inLine: line)
        stream.write("\n")
      }
      stream.write(inLine: "  " + words(part))
      stream.write("\n\n")
    }
    if !reasons.isEmpty { stream.write("not requested\n", .dim) }
    for (reason, count) in reasons {
      stream.write(inLine: "  \(count.of("case")): \(reason)")
      stream.write("\n")
    }
    if !reasons.isEmpty { stream.write("\n") }
    let requestCount = plan.parts.reduce(0) { $0 + $1.requests.count }
    stream.write(
      "\(requestCount.of("request")) to \(plan.parts.count.of("upstream")); no request was sent\n")
  }

  /// Below the base URL.
  private func path(_ request: RequestPlan.Request, _ part: RequestPlan.Part) -> Substring {
    request.url.dropFirst(part.upstream.baseURL.description.count)
  }

  /// `5 requests for 5 cases, 2 of these in this run, at once; rate: 2 requests in 1 hour; a round takes
  /// 3 runs`
  private func words(_ part: RequestPlan.Part) -> String {
    let total =
      part.requests.count.of("request")
      + (part.caseCount > 0 ? " for \(part.caseCount.of("case"))" : "")
    guard let rate = part.upstream.upstream.rate?.words else { return total }
    let time = part.duration > .zero ? "over \(part.duration.words)" : "at once"
    guard part.caseCountNow < part.caseCount else { return "\(total), \(time); rate: \(rate)" }
    return "\(total), \(part.caseCountNow) of these in this run, \(time); rate: \(rate)"
      + (part.runCount.map { "; a round takes \($0.of("run"))" } ?? "")
  }

  /// Why cases are not requested, and how many.
  private var reasons: [(String, Int)] {
    let cases = Dictionary(
      plan.settled.filter { $0.identity.consumer == nil }.map {
        ($0.identity.caseID, reason($0))
      }, uniquingKeysWith: { first, _ in first })
    return Dictionary(grouping: cases.values) { $0 }.map { ($0.key, $0.value.count) }
      .sorted { ($1.1, $0.0) < ($0.1, $1.0) }
  }

  private func reason(_ check: Check) -> String {
    check.reason ?? check.findings.first?.message ?? ""
  }

  // MARK: - For programs

  func writeJSON(to stream: inout TextStream) {
    var writer = JSONWriter(style: .pretty(indent: 2))
    writer.object { writer in
      writer.list("upstreams", plan.parts) { Self.write($1, to: &$0) }
      writer.list("notRequested", plan.settled) { writer, check in
        writer.object { writer in
          writer.member("case", check.identity.caseID)
          writer.member("consumer", check.identity.consumer)
          writer.member("reason", reason(check))
        }
      }
    }
    stream.write(json: writer.bytes + "\n".utf8)
  }

  private static func write(_ part: RequestPlan.Part, to writer: inout JSONWriter) {
    writer.object { writer in
      let rate = part.upstream.upstream.rate
      writer.member("name", part.upstream.name)
      writer.member("baseURL", "\(part.upstream.baseURL)")
      writer.member("rateRequests", rate?.requestCountMax)
      writer.member("ratePeriodMilliseconds", rate?.period?.milliseconds)
      writer.member("cases", part.caseCount)
      writer.member("casesInThisRun", part.caseCountNow)
      writer.member("runsPerRound", part.runCount)
      writer.member("durationMilliseconds", part.duration.milliseconds)
      writer.list("requests", part.requests) { writer, request in
        writer.object { writer in
          writer.member("case", request.caseID)
          writer.member("consumer", request.consumer)
          writer.member("method", request.method)
          writer.member("url", request.url)
        }
      }
    }
  }
}
