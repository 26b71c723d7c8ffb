import Testing
import UnderstudyCore

@testable import UnderstudyFakeServer
@testable import UnderstudyTLS

struct ServerCertificatesTests {
  private let certificates: ServerCertificates

  init() throws { certificates = try ServerCertificates(TLSAuthority(for: [], at: .now)) }

  private func certificate(_ hosts: [String]) -> Certificate? {
    certificates.identity(for: hosts, at: .now)?.certificate
  }

  @Test("at an address that the authority does not sign for, the names of this machine remain")
  func foreignAddress() {
    let own = ServerCertificates.ownHosts
    #expect(certificate(own + ["203.0.113.5"]) != nil)
    #expect(certificate(own + ["203.0.113.5"]) === certificate(own + ["203.0.113.5"]))
    #expect(certificate(["shop.example"]) == nil)
  }

  @Test("a client that asks for ever more names leaves only some of them")
  func manyNames() {
    let (own, first) = (certificate(ServerCertificates.ownHosts), certificate(["a.localhost"]))
    #expect(certificate(["a.localhost"]) === first)
    for number in 0..<300 { #expect(certificate(["a\(number).localhost"]) != nil) }
    #expect(certificate(["a.localhost"]) !== first)
    #expect(certificate(ServerCertificates.ownHosts) === own)
  }
}
