import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

/// What `understudy use` changes: a contract, an upstream, or the whole server.
enum UseTarget {
  /// The name of the server: no contract or upstream has it.
  static let serverName = "*"

  case server
  case upstream(String)
  case contract(String)

  init(_ name: String) {
    self =
      name == Self.serverName ? .server : name.contains("/") ? .contract(name) : .upstream(name)
  }

  /// Below the admin API.
  var path: String {
    switch self {
    case .server: ""
    case .upstream(let name): "/upstreams/\(PercentEncoding.encode(name))"
    case .contract(let name):
      "/contracts/"
        + name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        .map { PercentEncoding.encode(String($0)) }.joined(separator: "/")
    }
  }

  var subject: String {
    switch self {
    case .server: "the server"
    case .upstream(let name), .contract(let name): name
    }
  }
}

/// The case or mode that something now has.
struct UseChange {
  let target: UseTarget
  private let aspect: Aspect
  private let isChosen: Bool
  private let isHeld: Bool
  private let caseName: String?
  private let mode: String

  /// What was changed: the last part of a path of the admin API.
  private enum Aspect: String {
    case `case`, mode, hold
  }

  /// Serves a case or sets a mode; a case of a mode's name precedes the mode.
  static func choosing(
    _ choice: Assignment, with client: AdminClient
  ) throws(Failure) -> UseChange {
    let target = UseTarget(choice.name)
    let aspect: Aspect = try isCase(choice.value, of: target, client) ? .case : .mode
    var body = JSONWriter()
    body.object { $0.member(aspect.rawValue, choice.value) }
    let response = try client.send("PUT", "\(target.path)/\(aspect)", body: body.bytes)
    return UseChange(target, aspect, response, isChosen: true)
  }

  /// Clears the mode, and the case of a contract.
  static func clearing(_ name: String, with client: AdminClient) throws(Failure) -> UseChange {
    let target = UseTarget(name)
    var response = try client.send("DELETE", "\(target.path)/mode")
    if case .contract = target { response = try client.send("DELETE", "\(target.path)/case") }
    return UseChange(target, .case, response, isChosen: false)
  }

  /// Holds the responses of a contract with PUT, or releases them with DELETE.
  static func holding(
    _ name: String, _ method: String, with client: AdminClient
  ) throws(Failure) -> UseChange {
    // A name without a slash is left to the server, which reports it.
    let target = UseTarget.contract(name.contains("/") ? name : "\(name)/")
    let response = try client.send(method, "\(target.path)/\(Aspect.hold)")
    return UseChange(
      .contract(name), .hold, response, isChosen: response?["reason"]?.string == "hand")
  }

  private static func isCase(
    _ name: String, of target: UseTarget, _ client: AdminClient
  ) throws(Failure) -> Bool {
    guard case .contract = target else { return false }
    if Mode(rawValue: name) == nil { return true }
    let cases = try client.send("GET", target.path)?["cases"]
    return cases?.elements.contains { $0["name"]?.string == name } ?? false
  }

  private init(
    _ target: UseTarget, _ aspect: Aspect, _ response: JSONValue?, isChosen: Bool
  ) {
    self.target = target
    self.aspect = aspect
    self.isChosen = isChosen
    isHeld = response?["held"]?.bool ?? false
    caseName = response?["case"]?.string
    mode = response?["mode"]?.string ?? Mode.fake.rawValue
  }

  func writeText(to stream: inout TextStream) {
    let (subject, origin) = (target.subject, isChosen ? "" : " by default")
    if aspect == .hold {
      return stream.write("\(subject) is \(isHeld ? "held" : "released")\n")
    }
    let isFake = mode == Mode.fake.rawValue
    guard case .contract = target, aspect == .case, isFake || isChosen else {
      return stream.write("\(subject) is \(mode)\(origin)\n")
    }
    let condition = isFake ? "" : " once it is no longer \(mode)"
    stream.write("\(subject) serves \(caseName ?? "its case")\(origin)\(condition)\n")
  }

  /// Writes the members about contracts, upstreams and the server.
  static func write(_ changes: [UseChange], to writer: inout JSONWriter) {
    writer.list(
      "contracts", changes.filter { if case .contract = $0.target { true } else { false } }
    ) { writer, change in
      writer.object { object in
        object.member("contract", change.target.subject)
        object.member("case", change.caseName)
        change.writeMode(to: &object)
        object.key("held")
        object.bool(change.isHeld)
      }
    }
    writer.list(
      "upstreams", changes.filter { if case .upstream = $0.target { true } else { false } }
    ) { writer, change in
      writer.object { object in
        object.member("upstream", change.target.subject)
        change.writeMode(to: &object)
      }
    }
    let ofServer = changes.last { if case .server = $0.target { true } else { false } }
    writer.member("mode", ofServer?.mode)
  }

  private func writeMode(to object: inout JSONWriter) {
    object.member("mode", mode)
    object.key("chosen")
    object.bool(isChosen)
  }
}
