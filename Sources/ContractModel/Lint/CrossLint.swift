import Diagnostics
import JSON

/// Checks what one file alone cannot know: names in other files, requests that meet, cases that
/// are missing.
struct CrossLint {
  let upstreams: [Upstream]
  let consumers: [Consumer]
  let root: String
  let batch: Batch

  func check() {
    let known = Dictionary(consumers.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    for upstream in upstreams {
      ReachabilityLint(upstream: upstream, batch: batch).check()
      let settable = settableStates(of: upstream)
      for contract in upstream.contracts {
        let complaints = batch.complaints(for: contract.file)
        let expectations = ExpectationLint(
          contract: contract, upstreams: upstreams, consumers: known, complaints: complaints)
        let warnings = CoverageLint(contract: contract, complaints: complaints)
        warnings.check(settableStates: settable)
        for probe in contract.cases {
          expectations.check(probe)
          checkTemplates(of: probe, in: contract, complaints)
        }
        LiveLint(contract: contract, upstream: upstream, complaints: complaints).check()
      }
    }
    checkConsumers()
  }

  private func checkConsumers() {
    guard !consumers.isEmpty else { return }
    let file = root == "." ? "consumers.json" : "\(root)/consumers.json"
    let names = upstreams.map(\.name)
    for consumer in consumers {
      for upstream in consumer.upstreamNames where !names.contains(upstream) {
        batch.complaints(for: file).add(
          .unknownEndpoint, at: consumer.source,
          "found upstream \"\(upstream)\" of \(consumer.name), which does not exist",
          fix: spellingSuggestion(for: upstream, among: names, noun: "the upstreams"))
      }
    }
  }

  /// The state a case or scenario of this upstream can bring about.
  private func settableStates(of upstream: Upstream) -> Set<StateValue> {
    Set(
      upstream.contracts.flatMap { $0.cases.flatMap(\.then) }
        + upstream.scenarios.flatMap(\.state))
  }

  private func checkTemplates(of probe: Case, in contract: Contract, _ complaints: Complaints) {
    guard let response = probe.response else { return }
    if response.templatedParts.contains(.headers), let headers = probe.source["headers"] {
      for header in headers.members {
        let values = header.value.kind == .array ? Array(header.value.elements) : [header.value]
        for value in values { check(value, in: contract, complaints) }
      }
    }
    guard response.templatedParts.contains(.body) else { return }
    if let text = probe.source["text"] { check(text, in: contract, complaints) }
    for text in probe.source["body"]?.strings ?? [] { check(text, in: contract, complaints) }
  }

  private func check(_ value: JSONValue, in contract: Contract, _ complaints: Complaints) {
    guard let text = value.string, text.utf8.contains(UInt8(ascii: "{")) else { return }
    let template = Template(text)
    for mistake in template.mistakes {
      complaints.add(
        .badTemplate, at: value, "found \(mistake), which is no expression",
        fix: "the expressions are in Contracts/README.md under Templates")
    }
    let parameters = Set(contract.request.paths.flatMap(\.parameterNames))
    for expression in template.expressions { 
      check(expression, at: value, parameters, complaints)
    }
  }

  private func check(
    _ expression: Template.Expression, at value: JSONValue, _ parameters: Set<String>,
    _ complaints: Complaints
  ) {
    switch expression {
    case .json(let inner): check(inner, at: value, parameters, complaints)
    case .path(let name) where !parameters.contains(name):
      complaints.add(
        .badTemplate, at: value, "found {path.\(name)}, which is in no path of this request",
        fix: spellingSuggestion(for: name, among: parameters.sorted(), noun: "the parameters"))
    case .baseURL(let name?) where !upstreams.contains { $0.name == name }:
      complaints.add(
        .badTemplate, at: value, "found {server.\(name).baseURL}, but there is no upstream \(name)",
        fix: spellingSuggestion(for: name, among: upstreams.map(\.name), noun: "the upstreams"))
    default: break
    }
  }
}
