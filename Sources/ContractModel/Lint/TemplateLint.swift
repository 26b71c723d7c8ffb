import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// Finds braces that look like an expression but are not one.
struct TemplateLint {
  let names: LibraryNames
  let complaints: Complaints
  let contract: Contract

  init(_ contract: Contract, _ names: LibraryNames, _ complaints: Complaints) {
    self.contract = contract
    self.names = names
    self.complaints = complaints
  }

  /// Checks what the case writes itself, and what its own `template` applies to from `like`.
  /// Everything else is checked where it is written.
  func check(_ served: Case) {
    checkStates(of: served)
    for callback in served.callbacks { check(callback) }
    guard let response = served.response, !response.templatedParts.isEmpty else { return }
    if response.templatedParts.contains(.headers), let headers = served.source["headers"] {
      for value in headers.strings { check(value.string, at: value) }
    }
    if response.templatedParts.contains(.body) {
      if let text = served.source["text"] { check(text.string, at: text) }
      if let body = served.source["body"] { check(all: body) }
      if served.source["events"] != nil, case .events(let events) = response.body {
        check(events)
      }
      if let bytes = served.source["file"] ?? served.source["base64"] {
        check(String(validating: response.bodyBytes, as: UTF8.self), at: bytes)
      }
    }
    if let mutation = served.source["malform"] { check(all: mutation) }
    if let place = served.source["template"] { checkTaken(by: served, response, at: place) }
  }

  private func check(_ callback: Callback) {
    let source = callback.source
    if let place = source["url"] { check(callback.url, at: place) }
    if callback.templatedParts.contains(.headers), let headers = source["headers"] {
      for value in headers.strings { check(value.string, at: value) }
    }
    guard callback.templatedParts.contains(.body) else { return }
    if let text = source["text"] { check(text.string, at: text) }
    if let body = source["body"] { check(all: body) }
    if let bytes = source["file"] ?? source["base64"] {
      check(String(validating: callback.bodyBytes, as: UTF8.self), at: bytes)
    }
  }

  private func checkStates(of served: Case) {
    for states in [served.source["then"], served.source["when"]?["state"]].compactMap(\.self) {
      for member in states.members {
        check(member.key, at: member.value)
        if member.key.hasSuffix(".*") { complaints.addStateList(member) }
      }
    }
    for value in served.source["then"]?.strings ?? [] { check(value.string, at: value) }
    for condition in served.when?.state ?? [] {
      for expression in condition.name.expressions where expression.isDrawn {
        complaints.add(
          .badTemplate, at: condition.value.source,
          "found a name with a drawn value in \"when\", expected one that the request decides",
          fix: "use a part of the request, such as {path.NAME}")
      }
    }
  }

  private func response(ofCase name: String) -> Response? {
    contract.cases.last { $0.name == name && $0.response != nil }?.response
  }

  private func checkTaken(by served: Case, _ response: Response, at place: JSONValue) {
    guard let base = served.source["like"]?.string.flatMap(response(ofCase:)) else { return }
    let added = response.templatedParts.subtracting(base.templatedParts)
    if added.contains(.headers) {
      let taken = Set(base.headers)
      for header in response.headers where taken.contains(header) {
        check(header.value, at: place)
      }
    }
    guard added.contains(.body),
      !["body", "text", "base64", "file", "events"].contains(where: { served.source[$0] != nil })
    else { return }
    switch response.body {
    case .json(let body): check(all: body, at: place)
    case .text(let text): check(text, at: place)
    case .events(let events): check(events, at: place)
    case .bytes, .file: check(String(validating: response.bodyBytes, as: UTF8.self), at: place)
    case .none: break
    }
  }

  private func check(_ events: [ServerEvent], at place: JSONValue? = nil) {
    for event in events {
      for key in ["event", "id", "data"] {
        guard let value = event.source[key] else { continue }
        if value.kind == .string {
          check(value.string, at: place ?? value)
        } else {
          check(all: value, at: place)
        }
      }
    }
  }

  /// Checks every string of a JSON body, and every key. A problem with a key is reported at its
  /// value.
  private func check(all body: JSONValue, at place: JSONValue? = nil) {
    var pending = [body]
    while let value = pending.popLast() {
      switch value.kind {
      case .string: check(value.string, at: place ?? value, isJSON: true)
      case .array: pending += value.elements
      case .object:
        for member in value.members {
          check(member.key, at: place ?? member.value)
          pending.append(member.value)
        }
      default: break
      }
    }
  }

  private func check(_ text: String?, at value: JSONValue, isJSON: Bool = false) {
    guard let text, text.utf8.contains(UInt8(ascii: "{")) else { return }
    let template = Template(text)
    for mistake in template.mistakes { complain(of: mistake, at: value) }
    let isWhole = isJSON && template.pieces.count == 1
    for expression in template.expressions {
      if case .json = expression, !isWhole {
        complaints.add(
          .badTemplate, at: value,
          "found \"as json\" inside a longer text, expected it as a whole string of \"body\"",
          fix: "remove \" as json\"")
      }
      check(expression, at: value)
    }
  }

  private func complain(of mistake: String, at value: JSONValue) {
    let inside = mistake.dropFirst().dropLast()
    do throws(Failure) {
      if MovingTime.isMeant(by: inside) { _ = try MovingTime(inside) }
    } catch {
      let fix = error.fix.map { "\($0), or " } ?? ""
      complaints.add(
        .badTemplate, at: value, error.message, fix: "\(fix)write \\\\\(mistake) for plain text")
      return
    }
    complaints.add(
      .badTemplate, at: value, "\"\(mistake)\" is not an expression",
      fix: "use one that \"understudy help bad-template\" lists, or write \\\\\(mistake) for plain"
        + " text")
  }

  private func check(_ expression: Template.Expression, at value: JSONValue) {
    switch expression {
    case .json(let inner): check(inner, at: value)
    case .state(let name), .states(let name):
      for inner in name.expressions { check(inner, at: value) }
    case .path(let name) where !contract.request.hasPathParameter(name):
      let parameterNames = contract.request.paths.flatMap(\.parameterNames)
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

extension Template.Expression {
  fileprivate var isDrawn: Bool {
    switch self {
    case .uuid, .counter, .random: true
    case .json(let inner): inner.isDrawn
    default: false
    }
  }
}
