import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

extension Admin {
  func journal(_ query: JournalQuery, _ then: @escaping Then) {
    core.readJournal(query) { found in
      then(
        .members { object in
          object.key("requests")
          object.array { array in
            for request in found {
              array.object { request.entry.masked(by: core.mask).write(to: &$0) }
            }
          }
        })
    }
  }

  func unmatched(_ query: JournalQuery, _ then: @escaping Then) {
    core.misses(query) { found in
      then(
        .members { object in
          object.key("requests")
          object.array { array in
            for (entry, explanation) in found {
              array.object { object in
                entry.masked(by: core.mask).write(to: &object)
                object.member("message", explanation.complaint)
                object.key("nearest")
                object.array { array in
                  for miss in explanation.nearMisses { array.object { miss.write(to: &$0) } }
                }
              }
            }
          }
        })
    }
  }

  func count(_ request: Request, _ then: @escaping Then) throws(Problem) {
    let query = try query(request)
    let body = try AdminBody(request)
    let pattern: RequestPattern
    do throws(ContractError) {
      pattern = try RequestPattern(reading: body.root, origin: "body")
    } catch {
      let first = error.findings.first
      throw .badRequest(
        first?.message ?? "found no request", fix: first?.fix, at: first?.position)
    }
    core.readJournal(query) { found in
      let count = found.count { pattern.matches(RequestParts($0.request)) }
      then(.members { $0.member("count", count) })
    }
  }

  /// Reads the journal filters from the URL's query.
  func query(_ request: Request) throws(Problem) -> JournalQuery {
    var query = JournalQuery()
    query.session = scope
    for pair in (request.query ?? "").split(separator: "&") {
      let name = Self.decoded(pair.prefix { $0 != "=" })
      let value = Self.decoded(pair.drop { $0 != "=" }.dropFirst())
      switch name {
      case "contract": query.contract = value
      case "case": query.caseName = value
      case "method": query.method = value
      case "path": query.pathPrefix = value
      case "status": query.status = try Self.number(name, value)
      case "outcome": query.outcome = try Self.choice(name, value)
      case "session" where scope == nil: query.session = value
      case "session":
        throw .badRequest("found parameter \"session\" beside a session in the path")
      case "unmatched": query.isUnmatched = try Self.flag(name, value)
      case "since": query.since = UInt64(try Self.number(name, value))
      case "limit": query.countMax = try Self.number(name, value)
      default:
        throw .badRequest(
          "found unknown parameter \"\(name)\"",
          fix: Spelling.suggestion(for: name, among: Self.parameters)
            ?? "the parameters are \(Self.parameters.joined(separator: ", "))")
      }
    }
    return query
  }

  static let parameters = [
    "contract", "case", "method", "path", "status", "outcome", "session", "unmatched", "since",
    "limit",
  ]

  private static func decoded(_ text: Substring) -> String {
    PercentEncoding.decode(text, plusIsSpace: true) ?? String(text)
  }

  private static func number(_ name: String, _ text: String) throws(Problem) -> Int {
    guard let number = Int(text), number >= 0 else {
      throw .badRequest("found \(name) \"\(text)\", expected a whole number")
    }
    return number
  }

  private static func flag(_ name: String, _ text: String) throws(Problem) -> Bool {
    guard let flag = Bool(text) else {
      throw .badRequest("found \(name) \"\(text)\", expected true or false")
    }
    return flag
  }

  private static func choice(
    _ name: String, _ text: String
  ) throws(Problem) -> JournalEntry.Outcome {
    if let outcome = JournalEntry.Outcome(rawValue: text) { return outcome }
    let known = JournalEntry.Outcome.allCases.map(\.rawValue)
    throw .badRequest(
      "found \(name) \"\(text)\", expected one of \(known.joined(separator: ", "))",
      fix: Spelling.suggestion(for: text, among: known))
  }
}

extension JournalEntry {
  /// Writes the entry's members. A body that is not valid UTF-8 is written as Base64, under another
  /// key.
  func write(to object: inout JSONWriter) {
    object.member("sequence", Int(sequence))
    object.member("time", receivedAt.exactRFC3339)
    object.member("method", method)
    object.member("path", path)
    object.member("query", query)
    object.key("headers")
    object.array { array in
      for field in headers {
        array.object { object in
          object.member("name", field.name)
          object.member("value", field.value)
        }
      }
    }
    if let text = String(validating: body, as: UTF8.self) {
      object.member("body", text)
    } else {
      object.member("bodyBase64", Base64.encode(body))
    }
    object.member("bodyBytes", bodyByteCount)
    object.member("session", session)
    object.member("contract", contract)
    object.member("case", caseName)
    object.member("reason", reason)
    object.member("status", status)
    object.key("delayAskedMs")
    object.double(delayAsked.milliseconds)
    object.key("delayGivenMs")
    object.double(delayGiven.milliseconds)
    object.member("sentBytes", sentByteCount)
    object.member("outcome", outcome.rawValue)
  }
}

extension Duration {
  /// Rounded to microseconds.
  fileprivate var milliseconds: Double { Double(nanoseconds / 1_000) / 1_000 }
}
