import CLinux
import ContractModel
import Drift
import FakeServer
import Glibc
import JSON
import Synchronization
import Transport

/// Asks live APIs in place of the fake, and keeps what they answered until it is taken.
final class LiveRelay: Sendable {
  struct Catch: Sendable {
    let upstreamName: String
    let exchange: RecordedExchange
    /// Credentials the client sent.
    let secrets: [String]
  }

  private static let connectionFields: Set<String> = [
    "connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "content-length",
    "proxy-connection", "proxy-authorization", "proxy-authenticate",
  ]
  /// What was meant for the fake, or what the transport sees to.
  private static let ownRequestFields: Set<String> = [
    "host", "prefer", "accept-encoding", "expect",
  ]
  private static let ownAnswerFields: Set<String> = ["content-encoding", "date"]
  /// The methods that contracts are made of; others only pass.
  private static let recordedMethods: Set<String> = ["GET", "POST", "PUT", "PATCH", "DELETE"]

  /// Readable when there is something to take.
  let descriptor: Int32
  private let baseURLs: [String: BaseURL]
  private let transport: CurlTransport
  private let caught = Mutex<[Catch]>([])

  init(_ baseURLs: [String: BaseURL]) throws(SystemError) {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    guard descriptor >= 0 else { throw .last("make a queue") }
    self.baseURLs = baseURLs
    transport = .direct(to: baseURLs.values)
  }

  deinit { close(descriptor) }

  func take() -> [Catch] {
    var count: eventfd_t = 0
    eventfd_read(descriptor, &count)
    return caught.withLock { caught in
      defer { caught = [] }
      return caught
    }
  }

  func answer(_ relayed: RelayedRequest) async -> RelayedAnswer {
    let asked = relayed.request
    guard let baseURL = baseURLs[relayed.upstreamName] else {
      return Self.problem("\(relayed.upstreamName) has no live API")
    }
    let query = asked.query.map { "?\($0)" } ?? ""
    var request = HTTPRequest(
      HTTPMethod(rawValue: asked.method), url: "\(baseURL)\(asked.path)\(query)",
      body: asked.body.isEmpty ? nil : asked.body)
    for field in asked.headers where !Self.isLeft(field, Self.ownRequestFields) {
      request.headers.append(field.name, field.value)
    }
    do throws(TransportError) {
      let answer = LiveAnswer(try await transport.send(request))
      keep(relayed, answer)
      return RelayedAnswer(
        status: answer.status,
        headers: answer.headers.filter { !Self.isLeft($0, Self.ownAnswerFields) },
        body: answer.body)
    } catch {
      let redaction = Redaction(adding: [])
      let reason = "\(error)".replacing(request.url, with: redaction.redacted(target: request.url))
      return Self.problem("no answer from \(baseURL): \(reason)")
    }
  }

  private static func isLeft(_ field: HeaderField, _ own: Set<String>) -> Bool {
    let name = field.name.lowercased()
    return connectionFields.contains(name) || own.contains(name)
  }

  private func keep(_ relayed: RelayedRequest, _ answer: LiveAnswer) {
    let asked = relayed.request
    guard Self.recordedMethods.contains(asked.method),
      answer.body.count <= RecordingProbe.bodyBytesMax
    else { return }
    let redaction = Redaction(adding: [])
    let new = Catch(
      upstreamName: relayed.upstreamName,
      exchange: RecordedExchange(
        method: asked.method, path: asked.path, query: asked.query, body: asked.body,
        answers: [answer]),
      secrets: asked.headers.filter { redaction.hides($0.name) }.map(\.value))
    caught.withLock { $0.append(new) }
    eventfd_write(descriptor, 1)
  }

  private static func problem(_ detail: String) -> RelayedAnswer {
    var writer = JSONWriter()
    writer.object { object in
      object.member("title", "The live API did not answer")
      object.member("status", 502)
      object.member("detail", detail)
    }
    return RelayedAnswer(
      status: 502,
      headers: [HeaderField(name: "Content-Type", value: "application/problem+json")],
      body: writer.bytes + Array("\n".utf8))
  }
}

extension CurlTransport {
  /// Heeds the environment's proxies unless all of these are on this machine.
  static func direct(to baseURLs: some Sequence<BaseURL>) -> CurlTransport {
    var configuration = CurlConfiguration()
    configuration.ignoresProxies = baseURLs.allSatisfy {
      SocketAddress(host: $0.host, port: 0).isLoopback
    }
    return CurlTransport(configuration)
  }
}
