import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON

/// Translates the webhooks of a stub into the callbacks of a case.
struct WireMockCallbacks {
  typealias Unusable = WireMockStub.Unusable

  /// `nil` for a stub without webhooks.
  private(set) var written: JSONText?
  private(set) var notes: [(kind: ImportNote.Kind, pointer: String, reason: String)] = []

  /// - Parameter template: that of the stub's response.
  init(of stub: JSONValue, _ template: WireMockTemplate) {
    var names = UniqueNames()
    var callbacks: [(String, JSONText?)] = []
    for listener in Self.listeners(of: stub) {
      guard listener.name == "webhook" else {
        notes.append((.leftOut, listener.pointer, "only webhooks are sent, as callbacks"))
        continue
      }
      do throws(Unusable) {
        let callback = try Self.callback(listener, template)
        callbacks.append((names.name("webhook"), callback))
      } catch {
        notes.append((.leftOut, error.pointer, error.reason))
      }
    }
    if !callbacks.isEmpty { written = .object(callbacks) }
  }

  private struct Listener {
    let name: String?
    let parameters: JSONValue
    let pointer: String
  }

  /// In a list with their names, or by their names.
  private static func listeners(of stub: JSONValue) -> [Listener] {
    ["postServeActions", "serveEventListeners"].flatMap { key -> [Listener] in
      guard let all = stub[key] else { return [] }
      if all.kind == .object {
        return all.members.map {
          Listener(
            name: $0.key, parameters: $0.value, pointer: "/\(key)/\($0.key.escapedForPointer)")
        }
      }
      return all.elements.enumerated().map { index, element in
        Listener(
          name: element["name"]?.string, parameters: element["parameters"] ?? .null,
          pointer: "/\(key)/\(index)")
      }
    }
  }

  private static func callback(
    _ listener: Listener, _ template: WireMockTemplate
  ) throws(Unusable) -> JSONText {
    let parameters = listener.parameters
    let place = listener.pointer + (parameters.isNull ? "" : "/parameters")
    var template = template.at(place)
    template.parameters = parameters
    func translated(_ text: String) throws(Unusable) -> String {
      try template.translated(text.replacing("originalRequest", with: "request"))
    }
    guard let url = parameters["url"]?.string else {
      throw Unusable(place, "the webhook has no URL")
    }
    let method = parameters["method"]?.string ?? "GET"
    guard RequestPattern.methods.contains(method) else {
      throw Unusable("\(place)/method", "a callback has no method \(method)")
    }
    let address = try translated(url)
    try checkAddress(address, "\(place)/url")
    var members: JSONObject = ["method": .string(method), "url": .string(address)]
    var templated: [String] = []
    var headers: [(name: String, texts: [String])] = []
    for member in (parameters["headers"] ?? .null).members {
      let values = member.value.kind == .array ? Array(member.value.elements) : [member.value]
      let texts = values.map { $0.string ?? String(decoding: $0.compact, as: UTF8.self) }
      if texts.contains(where: WireMockTemplate.isTemplate) { templated = ["headers"] }
      headers.append((member.key, texts))
    }
    if !templated.isEmpty {
      for index in headers.indices {
        for place in headers[index].texts.indices {
          headers[index].texts[place] = try translated(headers[index].texts[place])
        }
      }
    }
    if !headers.isEmpty {
      members["headers"] = .object(headers.map { ($0.name, .oneOrMore($0.texts)) })
    }
    if ["GET", "HEAD"].contains(method),
      ["body", "base64Body"].contains(where: {
        parameters[$0].map { !$0.isNull } ?? false
      })
    {
      throw Unusable("\(place)/method", "a callback by \(method) has no body")
    }
    if let body = parameters["body"], !body.isNull {
      let text = body.string ?? String(decoding: body.compact, as: UTF8.self)
      let isTemplate = WireMockTemplate.isTemplate(text)
      if isTemplate { templated.append("body") }
      if !text.isEmpty { members["text"] = .string(isTemplate ? try translated(text) : text) }
    } else if let base64 = parameters["base64Body"]?.string {
      members["base64"] = .string(base64)
    }
    if !templated.isEmpty { members["template"] = .strings(templated) }
    if let delay = parameters["delay"], !delay.isNull,
      let read = try WireMockResponse.delay(WireMockTimes(delay, at: "\(place)/delay"))
    {
      members["delay"] = .object([read])
    }
    return members.text
  }

  /// A contract must not lead off the machine because a stub did.
  private static func checkAddress(_ text: String, _ pointer: String) throws(Unusable) {
    guard let url = Callback.fixedAddress(of: text) else { return }
    guard let refusal = CallbackHosts().refusal(of: url, of: "the upstream") else { return }
    throw Unusable(pointer, refusal.message)
  }
}
