import UnderstudyCore
package import UnderstudyJSON

/// One way an endpoint may respond.
package final class Case: Sendable {
  /// What is unusual about a case. Lint asks for a malformed, a slow and a broken one.
  package enum Kind: String, Sendable, CaseIterable {
    case good, malformed, slow, broken
  }

  package let name: String
  package let summary: String?
  /// `nil` for a fault that sends no response.
  package let response: Response?
  package let when: When?
  package let then: [StateChange]
  package let malformation: Malformation?
  /// The body as sent, after `malform` and before `encoding`.
  package let bodyBytes: [UInt8]
  package let delay: Delay?
  package let pace: Pace?
  package let stall: Stall?
  package let fault: Fault?
  /// The number of events that are sent before the fault; `nil` for all.
  package let faultEvent: Int?
  /// In file order.
  package let expectations: [Expectation]
  package let live: LiveSettings?
  /// The requests that follow the response, in file order.
  package let callbacks: [Callback]
  package let source: JSONValue
  /// The case that this one is `like`, by its place in the contract.
  package let likeIndex: Int?
  /// What the response and the callbacks have of the upstream's state.
  package let stateReads: [Template.Expression]

  init(
    name: String, summary: String?, response: Response?, when: When?, then: [StateChange],
    malformation: Malformation?, bodyBytes: [UInt8], delay: Delay?, pace: Pace?, stall: Stall?,
    fault: Fault?, faultEvent: Int?, expectations: [Expectation], live: LiveSettings?,
    callbacks: [Callback], source: JSONValue, likeIndex: Int?
  ) {
    self.name = name
    self.summary = summary
    self.response = response
    self.when = when
    self.then = then
    self.malformation = malformation
    self.bodyBytes = bodyBytes
    self.delay = delay
    self.pace = pace
    self.stall = stall
    self.fault = fault
    self.faultEvent = faultEvent
    self.expectations = expectations
    self.live = live
    self.callbacks = callbacks
    self.source = source
    self.likeIndex = likeIndex
    stateReads = Self.stateReads(response, bodyBytes, callbacks)
  }

  package var status: Int? { response?.status }

  /// What is unusual about the case. The more severe kind wins: a slow reset is a reset.
  package var kind: Kind {
    if fault != nil { return .broken }
    if malformation != nil { return .malformed }
    if delay != nil || pace != nil || stall != nil { return .slow }
    return .good
  }

  package var isLive: Bool { live != nil }

  /// Whether it breaks the TLS handshake, so that no request can get it.
  package var breaksHandshake: Bool { fault?.isInHandshake ?? false }

  /// The events that are sent one by one; `nil` for other bodies, and where their bytes are
  /// mutated.
  package var events: [ServerEvent]? {
    guard case .events(let events)? = response?.body else { return nil }
    switch malformation {
    case nil, .contentType: return events
    default: return nil
    }
  }

  private static func stateReads(
    _ response: Response?, _ body: [UInt8], _ callbacks: [Callback]
  ) -> [Template.Expression] {
    let start = "{state.".utf8
    var texts = callbacks.flatMap(\.templatedTexts).filter { $0.utf8.contains(bytes: start) }
    if let response, !response.templatedParts.isEmpty {
      texts += response.headers.map(\.value).filter { $0.utf8.contains(bytes: start) }
      if body.contains(bytes: start) { texts.append(String(decoding: body, as: UTF8.self)) }
    }
    return texts.flatMap { Template($0).expressions.map(\.plain).filter(\.readsState) }
  }
}

/// When a case is served without being chosen.
package final class When: Sendable {
  package let request: [Condition]
  package let body: BodyCondition?
  package let state: [StateCondition]
  /// How many requests to the contract must have come before.
  package let countAbove: Int?
  /// The share of requests meeting the rest for which the case is served; from 0 to 1.
  package let share: Double?

  init(
    request: [Condition], body: BodyCondition?, state: [StateCondition], countAbove: Int? = nil,
    share: Double? = nil
  ) {
    self.request = request
    self.body = body
    self.state = state
    self.countAbove = countAbove
    self.share = share
  }

  /// Whether the request alone decides.
  package var asksOnlyRequest: Bool { state.isEmpty && countAbove == nil && share == nil }
}

/// How to make the live API respond as the case says.
package final class LiveSettings: Sendable {
  /// Values that replace the examples, by keys such as `path.org`.
  package let parameters: [LiveParameter]
  package let latencyMax: Duration?
  package let isSafe: Bool
  package let source: JSONValue

  init(
    parameters: [LiveParameter], latencyMax: Duration?, isSafe: Bool, source: JSONValue
  ) {
    self.parameters = parameters
    self.latencyMax = latencyMax
    self.isSafe = isSafe
    self.source = source
  }
}

/// A value sent to the live API in place of the example.
package struct LiveParameter: Sendable {
  package let key: String
  package let value: String
  package let source: JSONValue
}

/// A condition on a named string of an upstream's state.
package struct StateCondition: Sendable {
  package let name: Template
  /// On its value; one that was never set, or set to the empty string, is absent.
  package let value: Condition
}

/// What a case does to a named string of its upstream's state.
package struct StateChange: Hashable, Sendable {
  package let name: Template
  /// `nil` to forget the name.
  package let value: Template?

  /// Whether it is the same whatever is requested or drawn.
  package var isPlain: Bool { name.plainText != nil && value?.expressions.isEmpty ?? true }
}

/// One named string of an upstream's state.
package struct StateValue: Hashable, Sendable {
  package let name: String
  package let value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  package static func == (left: Self, right: Self) -> Bool {
    ExactText(left.name) == ExactText(right.name)
      && ExactText(left.value) == ExactText(right.value)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ExactText(name))
    hasher.combine(ExactText(value))
  }
}
