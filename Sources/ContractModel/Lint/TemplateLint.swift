import Diagnostics
import JSON

/// Finds expressions in braces that stand for nothing.
struct TemplateLint {
  let names: LibraryNames
  let complaints: Complaints
  /// The parameters of all paths of the request.
  private let parameterNames: [String]

  init(_ contract: Contract, _ names: LibraryNames, _ complaints: Complaints) {
    self.names = names
    self.complaints = complaints
    parameterNames = contract.request.paths.flatMap(\.parameterNames)
  }

  /// Checks what the case writes itself: what comes with `like` is checked where it is written.
  func check(_ probe: Case) {
    guard let response = probe.response else { return }
    if response.templatedParts.contains(.headers), let headers = probe.source["headers"] {
      for text in headers.strings { check(text) }
    }
    guard response.templatedParts.contains(.body) else { return }
    if let text = probe.source["text"] { check(text) }
    for text in probe.source["body"]?.strings ?? [] { check(text) }
  }

  private func check(_ value: JSONValue) {
    guard let text = value.string, text.utf8.contains(UInt8(ascii: "{")) else { return }
    let template = Template(text)
    for mistake in template.mistakes {
      complaints.add(
        .badTemplate, at: value, "found \"\(mistake)\", which is no expression",
        fix: "the expressions are in Contracts/README.md under Templates")
    }
    for expression in template.expressions { check(expression, at: value) }
  }

  private func check(_ expression: Template.Expression, at value: JSONValue) {
    switch expression {
    case .json(let inner): check(inner, at: value)
    case .path(let name) where !parameterNames.contains(name):
      complaints.add(
        .badTemplate, at: value, "found \"{path.\(name)}\", expected a parameter of the path",
        fix: spellingSuggestion(for: name, among: parameterNames, noun: "its parameters"))
    case .baseURL(let name?) where !names.hasUpstream(name):
      complaints.add(
        .badTemplate, at: value,
        "found \"{server.\(name).baseURL}\", expected the name of an upstream",
        fix: spellingSuggestion(for: name, among: names.upstreams, noun: "the upstreams"))
    default: break
    }
  }
}
