import UnderstudyCore
import UnderstudyFakeServer
import UnderstudySystem

/// By what clients trust a server of HTTPS, for as long as it runs.
struct ServeTrust {
  let certificateFile: String
  /// `nil` where the authority is the user's and nobody has the server as a proxy.
  private let files: ClientFiles?
  private let environment: @Sendable (String) -> String?

  /// - Parameter isTemporary: whether the authority ends with the server.
  init(
    for hosts: [String], isTemporary: Bool, _ configuration: inout ServerConfiguration,
    _ arguments: ParsedArguments, _ terminal: inout Terminal
  ) throws(Failure) {
    environment = arguments.environment
    if isTemporary {
      let files = try ClientFiles(for: hosts, environment)
      (self.files, certificateFile) = (files, files.certificateFile)
      configuration.certificates = files.certificates
    } else {
      let local = try LocalAuthority.forServer(
        of: hosts, at: configuration.address, arguments, &terminal)
      certificateFile = local.files.certificate
      if configuration.proxy != nil {
        let files = try ClientFiles(of: local.authority, environment)
        self.files = files
        configuration.certificates = files.certificates
      } else {
        files = nil
        configuration.certificates = try ServerCertificates(local.authority)
      }
    }
  }

  /// What makes the clients of a program use the server as their proxy; `nil` where it is none.
  ///
  /// - Parameter hosts: those that must not be asked directly.
  func variables(for server: FakeServer, asking hosts: [String]) -> [String: String]? {
    guard let files, server.proxyURL != nil else { return nil }
    return ProxyVariables.variables(
      for: server.address.local, asking: hosts, files, loadsNodeModule: NodeVersion.needsModule,
      environment)
  }
}
