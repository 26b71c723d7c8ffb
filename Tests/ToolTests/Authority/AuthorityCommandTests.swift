import Foundation
import Testing
import UnderstudyCore
import UnderstudyJSON
import UnderstudySystem
import UnderstudyTLS
import UnderstudyTestSupport

@testable import UnderstudyTool

/// `understudy ca`, each time with a state folder of its own.
@Suite struct AuthorityCommandTests {
  private let state: StateStage

  init() throws { state = try StateStage() }

  private static let text = """
    STATE/ca.pem

    It signs for this machine, private networks and dog.ceo, until DATE.

    curl
      curl --cacert STATE/ca.pem https://localhost:8080/
      export CURL_CA_BUNDLE=STATE/ca.pem
    Python: requests, and ssl with all that uses it
      export REQUESTS_CA_BUNDLE=STATE/ca.pem
      export SSL_CERT_FILE=STATE/ca.pem
    Node
      export NODE_EXTRA_CA_CERTS=STATE/ca.pem
    Java
      keytool -importcert -noprompt -alias understudy -file STATE/ca.pem -keystore understudy.p12 \
    -storepass understudy
      java -Djavax.net.ssl.trustStore=understudy.p12 \
    -Djavax.net.ssl.trustStorePassword=understudy -jar client.jar
    Go on Linux
      export SSL_CERT_FILE=STATE/ca.pem
    iOS simulator
      xcrun simctl keychain booted add-root-cert STATE/ca.pem
    macOS
      security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db STATE/ca.pem
    Debian and Ubuntu
      sudo install -m 644 STATE/ca.pem /usr/local/share/ca-certificates/understudy.crt
      sudo update-ca-certificates

    CURL_CA_BUNDLE, REQUESTS_CA_BUNDLE, SSL_CERT_FILE and Java's trust store take
    the place of the system's certificates: such a client trusts no other API.
    "understudy run --tls" gives a command both.

    """

  @Test("makes an authority once, and says each time how to trust it")
  func makesOne() throws {
    let samples = try SampleContracts()
    let first = state.run("ca", on: samples)
    #expect(first.errors == "")
    #expect(first.code == .pass)
    #expect(TextDiff.unified(Self.text, first.output) == "")
    #expect(try state.mode("") == 0o700)
    #expect(try state.mode("ca.key") == 0o600)
    #expect(try state.mode("ca.pem") == 0o600)
    let certificate = try state.read("ca.pem")
    let second = state.run("ca", on: samples)
    #expect(second.output == first.output)
    #expect(try state.read("ca.pem") == certificate)
  }

  @Test("prints the same for programs")
  func json() throws {
    let run = state.run("ca", "--format", "json", on: try SampleContracts())
    let json = try JSONDocument(parsing: run.output).root
    #expect(json["certificate"]?.string == "STATE/ca.pem")
    #expect(json["hosts"]?.elements.map(\.string) == ["dog.ceo"])
    #expect(json["end"]?.string?.hasPrefix("DATE") == true)
    let trust = try #require(json["trust"])
    let node = try #require(trust.elements.first { $0["client"]?.string == "Node" })
    #expect(
      node["commands"]?.elements.map(\.string) == ["export NODE_EXTRA_CA_CERTS=STATE/ca.pem"])
  }

  @Test("where no contracts are, it signs for no upstream; a folder that is named must be there")
  func noContracts() throws {
    let run = state.run("ca")
    #expect(run.errors == "")
    #expect(run.output.contains("this machine and private networks, until"))
    let named = state.run("ca", "--contracts", "\(state.folder)/none")
    #expect(named.errors.hasPrefix("understudy: error: no such file or folder: STATE/none\n"))
    #expect(named.code == .couldNotRun)
  }

  @Test("removes both files, and says where else there is something to undo")
  func removes() throws {
    _ = state.run("ca")
    let run = state.run("ca", "--remove")
    #expect(
      run.output == """
        removed STATE/ca.pem
        removed STATE/ca.key

        Where clients were told to trust it, undo that:

        Java
          keytool -delete -alias understudy -keystore understudy.p12 -storepass understudy
        iOS simulator
          xcrun simctl keychain booted reset
        macOS
          security delete-certificate -t -c 'Understudy local authority' \
        ~/Library/Keychains/login.keychain-db
        Debian and Ubuntu
          sudo rm /usr/local/share/ca-certificates/understudy.crt
          sudo update-ca-certificates --fresh
        Java of Debian and Ubuntu
          sudo keytool -delete -cacerts -alias debian:understudy.pem -storepass changeit

        """)
    #expect(try FileManager.default.contentsOfDirectory(atPath: state.folder) == [])
    let again = state.run("ca", "--remove")
    #expect(again.output == "there is no authority in STATE\n")
    #expect(again.code == .pass)
    let json = try JSONDocument(parsing: state.run("ca", "--remove", "--format", "json").output)
    #expect(json.root["removed"].map { Array($0.elements).count } == 0)
    #expect(json.root["forget"].map { Array($0.elements).count } == 5)
  }

  @Test("removes nothing where there never was one")
  func removesNothing() {
    #expect(state.run("ca", "--remove").output == "there is no authority in STATE\n")
    #expect(!FileManager.default.fileExists(atPath: state.folder))
  }

  @Test(
    "says when it is of no use to clients, or soon will be",
    arguments: [
      (-366, "the authority STATE/ca.pem ended on DATE"),
      (-340, "the authority STATE/ca.pem ends on DATE"), (-300, nil),
    ])
  func ends(days: Int, message: String?) throws {
    try state.make(TLSAuthority(for: [], at: .now + .seconds(days * 86_400)))
    let run = state.run("ca")
    #expect(run.output.hasPrefix("STATE/ca.pem\n"))
    #expect(run.errors == (message.map { "understudy: warning: \($0)\n\(Self.anew)" } ?? ""))
    #expect(run.code == .pass)
  }

  private static let anew =
    "  fix: make a new one: \"understudy ca --remove\", then \"understudy ca\"\n"

  @Test("says which hosts of contracts it does not sign for")
  func uncovered() throws {
    try state.make(TLSAuthority(for: ["a.example"], at: .now))
    let hosts = (1...7).map { #""h\#($0).example""# }.joined(separator: ", ")
    let contracts = try SampleContracts([
      "Contracts/a/upstream.json": #"{ "baseURL": "https://v1.a.example:8443" }"#,
      "Contracts/b/upstream.json": #"{ "baseURL": "https://b.example", "hosts": [\#(hosts)] }"#,
      "Contracts/c/upstream.json": #"{ "baseURL": "http://192.168.7.8" }"#,
    ])
    let run = state.run("ca", on: contracts)
    #expect(
      run.output.contains("private networks, 192.168.7.8 and v1.a.example, until"), "\(run.output)")
    #expect(
      run.errors == "understudy: warning: the authority STATE/ca.pem does not sign for dog.ceo, "
        + "h1.example, h2.example, h3.example, h4.example and 3 more\n" + Self.anew)
    #expect(run.code == .pass)
  }

  @Test(
    "says at which addresses of a server clients do not trust it",
    arguments: [
      ("127.0.0.1", nil), ("localhost", nil), ("10.1.2.3", nil), ("203.0.113.5", "203.0.113.5"),
      ("0.0.0.0", "203.0.113.5"), ("::", "203.0.113.5 and 2001:db8::1"),
    ])
  func addresses(host: String, found: String?) throws {
    _ = state.run("ca")
    let files = try LocalAuthority.Files { state.environment[$0] }
    let local = try LocalAuthority.open(for: [], in: files, at: .now)
    let warning = local.warning(
      for: SocketAddress(host: host, port: 0),
      of: ["127.0.0.1", "192.168.7.8", "203.0.113.5", "::1", "fe80::1%eth0", "2001:db8::1"])
    #expect(
      warning.map { state.shown($0.message) }
        == found.map {
          "the authority STATE/ca.pem does not sign for \($0), where clients may reach the server"
        })
  }

  enum Spoiling: CaseIterable, CustomTestStringConvertible {
    case noKey, noCertificate, notPEM, keyOfAnother, readable, linkedOut, linkedWithin, folderLinked
    case fileForFolder, open

    var testDescription: String { "\(self)" }
  }

  @Test("files that cannot be used are one message with a fix", arguments: Spoiling.allCases)
  func spoiled(by spoiling: Spoiling) throws {
    _ = state.run("ca")
    let expected = try state.spoil(spoiling)
    let run = state.run("ca")
    #expect(run.errors == expected)
    #expect((run.code == .couldNotRun) == !expected.isEmpty)
  }

  @Test("a key that is encrypted is a message, and no question")
  func encrypted() async throws {
    _ = state.run("ca")
    let key = "\(state.folder)/ca.key"
    try FileManager.default.moveItem(atPath: key, toPath: "\(key).plain")
    try await Program.run(
      "openssl",
      ["pkey", "-aes256", "-passout", "pass:invented", "-in", "\(key).plain", "-out", key],
      in: state.folder)
    let run = state.run("ca")
    #expect(
      run.errors == """
        understudy: error: cannot use STATE/ca.pem and STATE/ca.key: the key is encrypted
          fix: decrypt it with "openssl pkey", or make a new one: "understudy ca --remove", \
        then "understudy ca"

        """)
    #expect(run.code == .couldNotRun)
  }

  @Test("without a folder for it, it says which variable to set")
  func noFolder() {
    let run = CommandLineRun(
      words: ["ca"], environment: ["HOME": "relative", "XDG_STATE_HOME": "also"])
    #expect(
      run.errors == """
        understudy: error: no folder for the authority, expected an absolute path in \
        XDG_STATE_HOME or HOME
          fix: set XDG_STATE_HOME to a folder of yours

        """)
  }

  @Test("ten at a time make one authority")
  func together() async throws {
    let state = state
    let made = await withTaskGroup(of: String.self) { group in
      for _ in 0..<10 {
        group.addTask { state.run("ca").errors + ((try? state.read("ca.pem")) ?? "") }
      }
      return await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(made.count == 1)
    #expect(made.first?.hasPrefix("-----BEGIN CERTIFICATE-----") == true)
  }
}

extension StateStage {
  /// Returns what is then printed to standard error.
  func spoil(_ spoiling: AuthorityCommandTests.Spoiling) throws -> String {
    let files = FileManager.default
    let (key, certificate) = ("\(folder)/ca.key", "\(folder)/ca.pem")
    let anew = "make a new one: \"understudy ca --remove\", then \"understudy ca\""
    func error(_ message: String, fix: String) -> String {
      "understudy: error: \(message)\n  fix: \(fix)\n"
    }
    switch spoiling {
    case .noKey:
      try files.removeItem(atPath: key)
      return error("found STATE/ca.pem without STATE/ca.key", fix: anew)
    case .noCertificate:
      try files.removeItem(atPath: certificate)
      return error("found STATE/ca.key without STATE/ca.pem", fix: anew)
    case .notPEM:
      try Data("no certificate\n".utf8).write(to: URL(fileURLWithPath: certificate))
      return error(
        "cannot use STATE/ca.pem and STATE/ca.key: cannot read the certificate: no start line",
        fix: anew)
    case .keyOfAnother:
      let other = try TLSAuthority(for: [], at: .now)
      try Data(other.certificatePEM).write(to: URL(fileURLWithPath: certificate))
      return error(
        "cannot use STATE/ca.pem and STATE/ca.key: the key is not that of the certificate",
        fix: anew)
    case .readable:
      try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: key)
      return error(
        "STATE/ca.key can be read by other users",
        fix: "chmod 600 STATE/ca.key, or if somebody may have read it, \(anew)")
    case .linkedOut:
      let outside = "\(folder)/../outside.key"
      try files.moveItem(atPath: key, toPath: outside)
      try files.createSymbolicLink(atPath: key, withDestinationPath: "../outside.key")
      return error(
        "cannot read STATE/ca.key: it is a link to ../outside.key, expected a link that stays below"
          + " STATE", fix: "replace the link with its target")
    case .linkedWithin:
      try files.moveItem(atPath: key, toPath: "\(folder)/other.key")
      try files.createSymbolicLink(atPath: key, withDestinationPath: "other.key")
      return ""
    case .folderLinked:
      try files.moveItem(atPath: folder, toPath: "\(folder)-moved")
      try files.createSymbolicLink(atPath: folder, withDestinationPath: "\(folder)-moved")
      return ""
    case .fileForFolder:
      try files.removeItem(atPath: folder)
      try Data().write(to: URL(fileURLWithPath: folder))
      return error(
        "cannot write STATE: not a directory",
        fix: "set XDG_STATE_HOME to a folder that you may write to")
    case .open:
      try files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
      return error(
        "STATE can be changed by other users", fix: "chmod 700 STATE, and \(anew)")
    }
  }
}
