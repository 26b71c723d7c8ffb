import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyFindings

extension FakeAPI {
  /// Responds to requests with this method and path from now on, whatever the contracts say, until
  /// the test ends or says otherwise.
  ///
  ///     try fake.respond(to: .get, "/users/{id}", with: .json(#"{ "id": 1 }"#))
  ///     try fake.respond(to: .post, "/users", with: .status(503).delayed(by: .seconds(1)))
  ///
  /// The path is relative to the upstream's base URL; `{name}` stands for any segment, `{rest...}`
  /// at the end for any number of them. The most specific path wins. Leave out the upstream where
  /// only one can be meant, as with `baseURL(of:)`.
  public func respond(
    to method: Method, _ path: String, of upstream: String? = nil, with response: Response
  ) throws(FakeError) {
    let upstreamName: String
    if let upstream { upstreamName = upstream } else { upstreamName = try onlyUpstreamName() }
    var print = Fingerprint()
    print.add("\(method.rawValue) \(path)".utf8)
    let name = "response-\(String(print.value, radix: 16))"
    let draft = response.added(to: ContractDraft(name, method.rawValue, path))
    do throws(ContractError) {
      server.put(
        try ContractLibrary.contract(
          draft, of: upstreamName, beside: library.upstreams.map(\.name)))
    } catch {
      let first = error.findings.first
      throw FakeError(
        message: "no response for \(method.rawValue) \(path): \(first?.message ?? "none matches")",
        fix: first?.fix)
    }
  }

  /// The method of a request.
  public enum Method: String, Sendable {
    /// It also stands for HEAD, unless there is a response for that.
    case get = "GET"
    /// Usually creates something.
    case post = "POST"
    /// Usually replaces something.
    case put = "PUT"
    /// Usually changes a part of something.
    case patch = "PATCH"
    /// Usually removes something.
    case delete = "DELETE"
    /// Gets the head of a response without its body.
    case head = "HEAD"
    /// Asks what is allowed. The fake itself responds to preflight requests of browsers.
    case options = "OPTIONS"
  }

  /// A response that a test gives in place of a case of a contract.
  public struct Response: Sendable {
    private var status: Int?
    private var headers: [String: String] = [:]
    private var json: String?
    private var text: String?
    private var delay: Duration?
    private var fault: Fault?

    /// A body of JSON, as text.
    public static func json(_ body: String, status: Int = 200) -> Response {
      Response(status: status, json: body)
    }

    /// A body of plain text.
    public static func text(_ body: String, status: Int = 200) -> Response {
      Response(status: status, text: body)
    }

    /// No body.
    public static func status(_ status: Int) -> Response { Response(status: status) }

    /// The connection is reset before any response.
    public static let reset = Response(fault: .connectionResetByPeer)

    /// This response with another header, or another value for one.
    public func header(_ name: String, _ value: String) -> Response {
      var copy = self
      copy.headers[name] = value
      return copy
    }

    /// This response after a delay.
    public func delayed(by delay: Duration) -> Response {
      var copy = self
      copy.delay = delay
      return copy
    }

    fileprivate func added(to draft: ContractDraft) -> ContractDraft {
      draft.case(
        "response", status: status, headers: headers, body: json, text: text, delay: delay,
        fault: fault)
    }
  }
}
