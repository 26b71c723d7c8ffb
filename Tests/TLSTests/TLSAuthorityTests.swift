import Testing
import UnderstudyCore
import UnderstudyTestSupport

@testable import UnderstudyTLS

@Suite("An authority")
struct TLSAuthorityTests {
  @Test("is read again from what it was written as")
  func isWrittenAndRead() throws {
    let made = try TLSAuthority(for: ["api.example.com"], at: .now)
    let read = try TLSAuthority(certificate: made.certificatePEM, key: made.keyPEM)
    #expect(read.certificatePEM == made.certificatePEM)
    #expect(read.end == made.end)
    #expect(read.permits("api.example.com"))
  }

  @Test(
    "signs for its hosts, this machine and private networks",
    arguments: [
      ("api.example.com", true), ("v2.api.example.com", true), ("localhost", true),
      ("app.localhost", true), ("127.0.0.1", true), ("::1", true), ("192.168.1.7", true),
      ("10.9.8.7", true), ("100.64.9.8", true), ("100.128.9.8", false), ("203.0.113.5", true),
      ("example.com", false), ("example.org", false),
      ("198.51.100.1", false), ("2001:db8::1", false),
    ])
  func signsForItsHosts(host: String, isPermitted: Bool) throws {
    let authority = try TLSAuthority(for: ["api.example.com", "203.0.113.5"], at: .now)
    #expect(authority.permits(host) == isPermitted)
  }

  @Test("refuses a key of another")
  func refusesAnotherKey() throws {
    let (one, other) = (
      try TLSAuthority(for: [], at: .now), try TLSAuthority(for: [], at: .now)
    )
    let failure = #expect(throws: Failure.self) {
      try TLSAuthority(certificate: one.certificatePEM, key: other.keyPEM)
    }
    #expect(failure?.message == "the key is not that of the certificate")
  }
}
