import UnderstudyCore
import UnderstudyFakeServer
import UnderstudySystem
import UnderstudyTLS

/// The certificate of an authority that exists for one fake, in a file.
struct TestCertificate {
  let file: String
  let certificates: ServerCertificates
  private let folder: ScratchFolder

  /// - Parameter hosts: for which it signs besides this machine.
  init(for hosts: [String]) throws(FakeError) {
    do throws(SystemError) {
      folder = try ScratchFolder()
    } catch {
      throw FakeError(message: error.description, fix: nil)
    }
    do throws(Failure) {
      let authority = try TLSAuthority(for: hosts, at: .now)
      certificates = try ServerCertificates(authority)
      file = "\(folder.path)/ca.pem"
      try FileRoot(folder.path).write(authority.certificatePEM, to: file)
    } catch {
      throw FakeError(message: error.message, fix: error.fix)
    }
  }

  func removeFile() { folder.remove() }
}
