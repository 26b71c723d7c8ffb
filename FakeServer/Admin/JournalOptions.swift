import UnderstudyContractModel
import UnderstudyCore

/// What a request for the request log wishes besides its filters.
struct JournalOptions {
  static let waitMax = Duration.seconds(60)
  static let filters = [
    "contract", "case", "method", "path", "status", "outcome", "callback",
    "session", "unmatched",
    "sequence", "since", "limit",
  ]
  static let parameters = filters + ["wait", "unmasked"]

  /// How long to wait for the first request.
  var wait: Duration?
  /// Whether secrets are shown.
  var isUnmasked = false

  /// Reads the query of the URL. A session in the path, `scope`, excludes another in the query.
  static func read(
    _ request: Request, scope: String?, isLocalClient: Bool
  ) throws(Problem) -> (JournalQuery, JournalOptions) {
    var query = JournalQuery()
    var options = JournalOptions()
    query.session = scope
    for (name, value) in PercentEncoding.fields(of: request.query ?? "") {
      switch name {
      case "wait": options.wait = try time(name, value)
      case "unmasked": options.isUnmasked = try flag(name, value)
      default: try query.take(name, value, scope: scope, known: parameters)
      }
    }
    if options.isUnmasked { try query.limitToOwnSession(scope, isLocalClient: isLocalClient) }
    return (query, options)
  }

  /// Reads the query of the URL for operations that have filters only.
  static func readFilters(_ request: Request, scope: String?) throws(Problem) -> JournalQuery {
    var query = JournalQuery()
    query.session = scope
    for (name, value) in PercentEncoding.fields(of: request.query ?? "") {
      try query.take(name, value, scope: scope, known: filters)
    }
    return query
  }
}

extension JournalQuery {
  /// Secrets are shown to clients on this machine, for one session only: without one in the path,
  /// the main session.
  fileprivate mutating func limitToOwnSession(
    _ scope: String?, isLocalClient: Bool
  ) throws(Problem) {
    guard isLocalClient else { throw .masked }
    guard scope == nil else { return }
    if let other = session, !other.isEmpty {
      throw .badRequest(
        "session \"\(other)\" cannot be read with unmasked=true, which shows the secrets of one's own"
          + " session only",
        fix: "ask /~\(PercentEncoding.encode(other))\(Admin.prefix)/journal?unmasked=true")
    }
    session = ""
  }

  fileprivate mutating func take(
    _ name: String, _ value: String, scope: String?, known: [String]
  ) throws(Problem) {
    switch name {
    case "contract": contract = value
    case "case": caseName = value
    case "method": method = value
    case "path": pathPrefix = try path(name, value)
    case "status": status = try number(name, value)
    case "outcome": outcome = try choice(name, value)
    case "callback": callback = value
    case "session" where scope == nil: session = value
    case "session":
      throw .badRequest("parameter \"session\" cannot be used with a session in the path")
    case "unmatched": isUnmatched = try flag(name, value)
    case "sequence": sequence = UInt64(try number(name, value))
    case "since": since = UInt64(try number(name, value))
    case "limit": countMax = try number(name, value)
    default:
      throw .badRequest(
        "unknown parameter \"\(name)\"",
        fix: Spelling.suggestion(for: name, among: known)
          ?? "the parameters are \(known.joined(separator: ", "))")
    }
  }
}

private func number(_ name: String, _ text: String) throws(Problem) -> Int {
  guard let number = Int(text), number >= 0 else {
    throw .badRequest("found \(name) \"\(text)\", expected a whole number")
  }
  return number
}

private func path(_ name: String, _ text: String) throws(Problem) -> String {
  guard text.hasPrefix("/") else {
    throw .badRequest(
      "found \(name) \"\(text)\", expected the start of a path", fix: "write \"/\(text)\"")
  }
  return text
}

private func flag(_ name: String, _ text: String) throws(Problem) -> Bool {
  guard let flag = Bool(text) else {
    throw .badRequest("found \(name) \"\(text)\", expected true or false")
  }
  return flag
}

private func time(_ name: String, _ text: String) throws(Problem) -> Duration {
  let expected = "found \(name) \"\(text)\", expected a time from 0s to 60s, such as 500ms or 5s"
  guard let time = Duration(contractText: text) else {
    throw .badRequest(expected, fix: Int(text) == nil ? nil : "write a number and a unit: 5s")
  }
  guard time <= JournalOptions.waitMax else {
    throw .badRequest(expected, fix: "wait for 60s, and ask again if the list is empty")
  }
  return time
}

private func choice(_ name: String, _ text: String) throws(Problem) -> JournalRecord.Outcome {
  if let outcome = JournalRecord.Outcome(rawValue: text) { return outcome }
  let known = JournalRecord.Outcome.allCases.map(\.rawValue)
  throw .badRequest(
    "found \(name) \"\(text)\", expected one of \(known.joined(separator: ", "))",
    fix: Spelling.suggestion(for: text, among: known))
}
