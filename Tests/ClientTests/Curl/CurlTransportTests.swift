import Foundation
import Synchronization
import Testing
import UnderstudyCCurl
import UnderstudyContractModel
import UnderstudyFakeServer
import UnderstudyTestSupport

@testable import UnderstudyClient

@Suite(.timeLimit(.minutes(5))) struct CurlTransportTests {
  private static let ok =
    #""ok": { "status": 200, "headers": { "Set-Cookie": ["a=1", "b=2"] }, "body": [1, 2, 3] }"#

  @Test("a response has its status, headers, body, address, version and timing")
  func respond() async throws {
    try await Fake.run(Self.ok) { fake in
      let response = try await fake.transport.send(fake.request())
      #expect(response.status == 200)
      #expect(response.text == "[1,2,3]")
      #expect(response.headers.values(of: "set-cookie") == ["a=1", "b=2"])
      #expect(response.headers["Content-Length"] == "7")
      #expect(response.url == fake.url)
      #expect(response.version == .http11)
      let timing = response.timing
      #expect(timing.resolved <= timing.connected)
      #expect(timing.connected <= timing.firstByte)
      #expect(timing.firstByte <= timing.total)
      #expect(timing.total > .zero)
    }
  }

  @Test(
    "every method is sent as it is, with or without a body",
    arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].flatMap { method in
      (method == "HEAD" ? [nil] : [nil, "", "hello"]).map { (method, $0) }
    } as [(String, String?)])
  func methods(method: String, body: String?) async throws {
    try await Fake.run(#""ok": { "status": 200 }"#, methods: [method]) { fake in
      var request = fake.request(HTTPMethod(rawValue: method))
      request.body = body.map { Array($0.utf8) }
      let response = try await fake.transport.send(request)
      #expect(response.status == 200)
      let entry = try #require(await fake.server.journal().first)
      #expect(entry.method == method)
      #expect(entry.body == Array((body ?? "").utf8))
      let names = Set(entry.headers.map { $0.name.lowercased() })
      let expected: Set = ["host", "accept", "accept-encoding"]
      let sendsLength = body != nil || ["POST", "PUT", "PATCH"].contains(method)
      #expect(names == (sendsLength ? expected.union(["content-length"]) : expected))
    }
  }

  @Test("headers are sent in order, an empty one too")
  func headers() async throws {
    try await Fake.run(Self.ok) { fake in
      var request = fake.request()
      request.headers = ["X-A": "1", "X-Empty": "", "Accept": "application/json"]
      request.headers.append("X-A", "2")
      _ = try await fake.transport.send(request)
      let entry = try #require(await fake.server.journal().first)
      let fields = entry.headers.filter { $0.name.hasPrefix("X-") || $0.name == "Accept" }
      #expect(
        fields.map { "\($0.name)=\($0.value)" }
          == ["X-A=1", "X-Empty=", "Accept=application/json", "X-A=2"])
    }
  }

  @Test("a handle carries nothing over to its next request")
  func reuse() async throws {
    try await Fake.run(Self.ok, methods: ["GET", "POST"]) { fake in
      var post = fake.request(.post)
      post.body = Array("hello".utf8)
      post.headers["Content-Type"] = "text/plain"
      _ = try await fake.transport.send(post)
      _ = try await fake.transport.send(fake.request())
      let entry = try #require(await fake.server.journal().last)
      #expect(entry.method == "GET")
      #expect(entry.body == [])
      #expect(
        Set(entry.headers.map { $0.name.lowercased() }) == ["host", "accept", "accept-encoding"])
    }
  }

  @Test(
    "reads the encodings that this libcurl knows", arguments: Self.knownEncodings)
  func encodings(name: String) async throws {
    // Of "hello, hello, hello": made by gzip and zstd, and by BrotliEncoderCompress.
    let bodies = [
      "gzip": "H4sIAAAAAAAAA8tIzcnJ11HIQKIAn6HKCRMAAAA=",
      "br": "GxIA+I2Ubt5ECVKGlmwsbxFPJNBxAA==",
      "zstd": "KLUv/QRYbQAAOGhlbGxvLCABAOKKEXXzmI4=",
    ]
    let body = try #require(bodies[name].flatMap { Data(base64Encoded: $0) })
    let peer = try BytesPeer(headers: ["Content-Encoding: \(name)"], body: Array(body))
    let response = try await CurlTransport.direct.send(ClientRequest(url: peer.url))
    #expect(response.text == "hello, hello, hello")
  }

  /// Some systems build libcurl without the newer ones.
  private static let knownEncodings: [String] = {
    let features = (try? CurlLibrary.functions().pointee.version_info(CURLVERSION_FIRST))?
      .pointee.features
    return [
      ("gzip", CURL_VERSION_LIBZ), ("br", CURL_VERSION_BROTLI), ("zstd", CURL_VERSION_ZSTD),
    ].filter { (features ?? 0) & $0.1 != 0 }.map(\.0)
  }()

  // MARK: once

  @Test("sends a request again when a connection died, but never one that may be sent only once")
  func goingOnce() async throws {
    let cases = #""ok": { "status": 200 }, "empty": { "fault": "EMPTY_RESPONSE" }"#
    try await Fake.run(cases, methods: ["GET", "POST"]) { fake in
      fake.server.use(["ok", "empty", "ok"], for: "api/get")
      _ = try await fake.transport.send(fake.request())
      // libcurl mends this by itself, for the connection had served before.
      let mended = try await fake.transport.send(fake.request())
      #expect(mended.status == 200)
      #expect(mended.resentCount == 1)
      #expect(await fake.server.journal().count == 3)
      #expect(try await fake.transport.send(fake.request()).resentCount == 0)

      for request in [fake.request(.post), fake.request { $0.goesOnce = true }] {
        await fake.server.reset()
        let contract = request.method == .post ? "api/post" : "api/get"
        fake.server.use(["ok", "empty", "ok"], for: contract)
        _ = try await fake.transport.send(request)
        let error = await failure { () async throws(TransportError) in
          try await fake.transport.send(request)
        }
        #expect(error?.kind == .emptyReply)
        #expect(await fake.server.journal().count == 2)
      }
    }
  }

  // MARK: cancelling and closing

  @Test("a cancelled task ends its transfer at once")
  func cancelling() async throws {
    try await Fake.run(Self.ok) { fake in
      let hold = fake.server.hold("api/get")
      let task = Task { try await fake.transport.send(fake.request()) }
      let held = try #require(await hold.next())
      task.cancel()
      let error = await failure { () async throws(TransportError) in
        do { return try await task.value } catch { throw error as! TransportError }
      }
      #expect(error == TransportError(.cancelled, "GET \(fake.url)"))
      // The connection is closed, which the server learns in its own time.
      while await fake.server.journal(JournalQuery { $0.outcome = .clientLeft }).isEmpty {
        await Task.yield()
      }
      #expect(await !held.release())
      await hold.end()
    }
  }

  @Test("a task cancelled before it asks sends nothing")
  func cancelledBefore() async throws {
    try await Fake.run(Self.ok) { fake in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await fake.transport.send(fake.request())
      }
      await #expect(throws: TransportError(.cancelled)) { try await task.value }
      #expect(await fake.server.journal().count == 0)
    }
  }

  @Test("requests cancelled at any moment all end, and others continue")
  func cancellingMany() async throws {
    try await Fake.run(Self.ok) { fake in
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<200 {
          group.addTask {
            let task = Task { try await fake.transport.send(fake.request()).status }
            if number % 2 == 0 {
              for _ in 0..<(number % 7) { await Task.yield() }
              task.cancel()
              _ = await task.result
            } else {
              #expect((try? await task.value) == 200)
            }
          }
        }
      }
    }
  }

  @Test("closing cancels what is under way and what comes later")
  func closing() async throws {
    try await Fake.run(Self.ok) { fake in
      let hold = fake.server.hold("api/get")
      let task = Task { try await fake.transport.send(fake.request()) }
      _ = try #require(await hold.next())
      await fake.transport.close()
      let closed = TransportError(.cancelled, "the transport is closed")
      await #expect(throws: closed) { try await task.value }
      await #expect(throws: closed) { try await fake.transport.send(fake.request()) }
      await hold.end()
      await fake.transport.close()
    }
  }

  @Test("many requests at once are all responded")
  func concurrency() async throws {
    try await Fake.run(Self.ok) {
      $0.connectionCountMax = 8
    } test: { fake in
      let count = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<500 {
          group.addTask { (try? await fake.transport.send(fake.request()))?.text == "[1,2,3]" }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(count == 500)
    }
  }

  // MARK: where bodies go

  @Test("a body goes to a file, which appears when it is complete")
  func file() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "body").path
    let cases = Self.ok + #", "cut": { "like": "ok", "fault": "CONNECTION_CLOSED_IN_BODY" }"#
    try await Fake.run(cases) { fake in
      let error = await failure { () async throws(TransportError) in
        try await fake.transport.send(fake.request(serving: "cut"), to: .file(path))
      }
      #expect(error?.kind == .truncated)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])

      let response = try await fake.transport.send(fake.request(), to: .file(path))
      #expect(response.body == [])
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "[1,2,3]")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["body"])

      let missing = await failure { () async throws(TransportError) in
        try await fake.transport.send(fake.request(), to: .file("\(path)/x"))
      }
      #expect(
        missing
          == TransportError(
            .cannotStore, "GET \(fake.url): cannot write \(path)/x: not a directory"))
    }
  }

  @Test("a body goes to a handler piece by piece, until it takes no more")
  func handler() async throws {
    let text = String(repeating: "a", count: 200_000)
    try await Fake.run(#""ok": { "status": 200, "text": "\#(text)" }"#) { fake in
      let seen = Mutex<[UInt8]>([])
      let response = try await fake.transport.send(
        fake.request(),
        to: .handler { bytes in
          seen.withLock { $0 += bytes }
          return true
        })
      #expect(response.body == [])
      #expect(seen.withLock { $0 } == Array(text.utf8))
      let error = await failure { () async throws(TransportError) in
        try await fake.transport.send(fake.request(), to: .handler { _ in false })
      }
      #expect(
        error
          == TransportError(
            .cannotStore, "GET \(fake.url): the handler refused more", curlCode: 23))
    }
  }
}
