import Foundation
import Testing
import UnderstudyDrafting

@testable import UnderstudyTool

/// Contracts that change under a running server.
@Suite struct ServeReloadTests {
  private static let file = "Contracts/dog-ceo/random-images.json"
  private static let request = "GET /dog-ceo/api/breed/hound/images/random"

  @Test("a valid change takes effect and is reported, a broken one is only reported")
  func reload() throws {
    let samples = try SampleContracts()
    let sound = try samples.read(Self.file)
    let server = try RunningServer([], in: samples.folder)
    _ = server.lines { $0.isEmpty }

    try samples.write(Self.file, sound.replacing("ceo/1.jpg", with: "ceo/2.jpg"))
    #expect(server.line() == "reloaded: changed dog-ceo/random-images")
    #expect(
      try server.send(Self.request).hasSuffix(#"{"message":"https://images.dog.ceo/2.jpg"}"#))
    #expect(server.line()?.hasSuffix("dog-ceo/random-images#ok") == true)

    try samples.write(Self.file, "{")
    #expect(
      server.lines { $0.hasPrefix("not reloaded") } == [
        "\(Self.file):1:2: error: found the end of the text, expected a key or \"}\" for the object"
          + " opened at 1:1 [invalid-json]",
        "  fix: add \"}\"",
        "not reloaded: 1 error in 3 files, so the previous contracts are still served",
      ])
    #expect(
      try server.send(Self.request).hasSuffix(#"{"message":"https://images.dog.ceo/2.jpg"}"#))
    server.terminate()
    #expect(server.end().code == 0)
  }

  @Test("a new upstream whose contracts are still to be written keeps no other from being reloaded")
  func unfinished() throws {
    let samples = try SampleContracts()
    let sound = try samples.read(Self.file)
    let server = try RunningServer([], in: samples.folder)
    _ = server.lines { $0.isEmpty }
    try samples.write("Contracts/new/upstream.json", "{}")
    #expect(server.lines { $0.hasPrefix("reloaded") }.last == "reloaded: added new")
    try samples.write(Self.file, sound.replacing("ceo/1.jpg", with: "ceo/2.jpg"))
    #expect(
      server.lines { $0.hasPrefix("reloaded") }.last == "reloaded: changed dog-ceo/random-images")
    server.terminate()
    #expect(server.end().code == 0)
  }

  @Test("a change that came while descriptors were missing is taken when there are some again")
  func descriptors() throws {
    let samples = try SampleContracts()
    let server = try RunningServer([], in: samples.folder)
    _ = server.lines { $0.isEmpty }
    let limit = { (count: Int) in
      try ProcessRun(
        "/usr/bin/env", ["prlimit", "--pid", "\(server.id)", "--nofile=\(count):"])
    }
    #expect(try limit(8).code == 0)
    let sound = try samples.read(Self.file)
    try samples.write(Self.file, sound.replacing("ceo/1.jpg", with: "ceo/2.jpg"))
    let told = server.lines { $0.hasPrefix("not reloaded") }
    #expect(
      told.first?.hasSuffix(": too many open files; trying again until it works") == true,
      "\(told)")
    #expect(try limit(1024).code == 0)
    #expect(server.line() == "reloaded: changed dog-ceo/random-images")
    server.terminate()
    #expect(server.end().code == 0)
  }

  private static let link =
    #"{ "request": { "method": "GET", "path": "/all" }, "cases": "#
    + #"{ "ok": { "status": 200, "text": "links" } } }"#

  @Test("the address of a new upstream is printed, with its own port or without")
  func upstreams() throws {
    for (arguments, note) in [
      ([], ""), (["--ports"], ", and on its own port after a restart"),
    ] {
      let samples = try SampleContracts()
      let server = try RunningServer(arguments, in: samples.folder)
      _ = server.lines { $0.isEmpty }
      try samples.write("Contracts/links/all.json", Self.link)
      try samples.write("Contracts/links/upstream.json", "{}")
      #expect(
        server.lines { $0.contains("links  http") }.suffix(2) == [
          "reloaded: added links, links/all", "  links  http://127.0.0.1:PORT/links\(note)",
        ])
      #expect(try server.send("GET /links/all").hasSuffix("links"))
      server.terminate()
      #expect(server.end().code == 0)
    }
  }

  @Test("the port of a removed upstream responds with 404")
  func removed() throws {
    let samples = try SampleContracts([
      "Contracts/links/upstream.json": "{}", "Contracts/links/all.json": Self.link,
    ])
    let server = try RunningServer(["--ports"], in: samples.folder)
    let address = server.lines { $0.hasPrefix("  links") }.last
    let port = try #require(address?.firstMatch(of: /:(\d+)$/).flatMap { UInt16($0.1) })
    _ = server.lines { $0.isEmpty }
    try samples.remove("Contracts/links")
    #expect(
      server.lines { $0.hasPrefix("  links") }.suffix(2) == [
        "reloaded: removed links, links/all", "  links  its port stays and responds with 404",
      ])
    #expect(try HTTPExchange(port: port).run("GET /all").hasPrefix("HTTP/1.1 404 Not Found\r\n"))
    server.terminate()
    #expect(server.end().code == 0)
  }

  @Test("programs get the addresses after each change")
  func json() throws {
    let samples = try SampleContracts()
    let server = try RunningServer([], in: samples.folder, format: "json")
    try samples.write("Contracts/links/all.json", Self.link)
    try samples.write("Contracts/links/upstream.json", "{}")
    #expect(
      server.lines { $0.hasPrefix(#"{"event":"reloaded""#) }.last
        == #"{"event":"reloaded","changes":"added links, links/all","upstreams":{"dog-ceo":"#
        + #""http://127.0.0.1:PORT/dog-ceo/api","links":"http://127.0.0.1:PORT/links"}}"#)
    server.terminate()
    #expect(server.end().code == 0)
  }
}
