import Testing
import UnderstudyCore

@Suite struct NetworkHostTests {
  @Test(
    "knows this machine by every name",
    arguments: [
      ("localhost", true), ("LOCALHOST", true), ("app.localhost", true), ("127.0.0.1", true),
      ("127.1.2.3", true), ("[::1]", true), ("::1", true), ("[::ffff:127.0.0.1]", true),
      ("[0:0:0:0:0:0:0:1]", true), ("localhost.evil.example", false), ("127.0.0.1.example", false),
      ("127.evil.example", false), ("128.0.0.1", false), ("[::2]", false), ("0.0.0.0", false),
      ("example.com", false), ("", false), ("[]", false),
    ])
  func loopback(text: String, isLoopback: Bool) {
    #expect(NetworkHost(text).isLoopback == isLoopback)
  }

  @Test(
    "knows which names everybody can look up",
    arguments: [
      ("example.com", true), ("api.dog.ceo", true), ("localhost", false), ("printer.local", false),
      ("db.svc", false), ("router.home.arpa", false), ("10.0.0.1", false), ("[fe80::1]", false),
      ("intranet", false), ("vault.internal", false),
    ])
  func publicName(text: String, isPublic: Bool) {
    #expect(NetworkHost(text).isPublicName == isPublic)
  }
}
