import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudySystem
import UnderstudyTLS

/// The authority of whoever uses the tool, which their clients may trust.
///
/// Its files are in the user's state folder, never in a project. The folder is locked while they
/// are read or written, so that two processes never make one each.
struct LocalAuthority {
  let authority: TLSAuthority
  let files: Files
  let isNew: Bool

  /// Reads the authority, or makes it where there is none.
  ///
  /// - Parameter hosts: those that a new one may sign for.
  static func open(for hosts: [String], in files: Files, at now: Moment) throws(Failure) -> Self {
    try OpenSSL.check()
    return try files.whileLocked { folder throws(Failure) in
      try files.check(folder)
      if let authority = try files.read() {
        return Self(authority: authority, files: files, isNew: false)
      }
      let authority = try TLSAuthority(for: hosts, at: now)
      try files.write(authority)
      return Self(authority: authority, files: files, isNew: true)
    }
  }

  /// What every authority signs for.
  static let ownNames = ["this machine", "private networks"]

  private static let reminder = Duration.seconds(30 * 24 * 3_600)
  private static let shownCountMax = 5

  /// What will make clients refuse its certificates, now or soon.
  func warnings(for hosts: [String], at now: Moment) -> [Failure] {
    var warnings: [Failure] = []
    if authority.end <= now {
      warnings.append(ended)
    } else if authority.end - now < Self.reminder {
      warnings.append(
        Failure(
          message: "the authority \(files.certificate) ends on \(authority.end.date)",
          fix: Files.anew))
    }
    let uncovered = hosts.filter { !authority.permits($0) }
    if !uncovered.isEmpty {
      warnings.append(
        Failure(
          message: "the authority \(files.certificate) does not sign for \(Self.list(uncovered))",
          fix: Files.anew))
    }
    return warnings
  }

  private var ended: Failure {
    Failure(
      message: "the authority \(files.certificate) ended on \(authority.end.date)", fix: Files.anew)
  }

  /// The names, or the first of many.
  static func list(_ names: [String]) -> String {
    let more = names.count - shownCountMax
    let shown = names.prefix(shownCountMax)
    return more > 0
      ? shown.joined(separator: ", ") + " and \(more) more"
      : shown.dropLast().joined(separator: ", ") + (shown.count > 1 ? " and " : "")
        + (shown.last ?? "")
  }
}

extension LocalAuthority {
  /// The authority of a server that is about to start. Fails if no client would accept it.
  static func forServer(
    of hosts: [String], at address: SocketAddress, _ arguments: ParsedArguments,
    _ terminal: inout Terminal
  ) throws(Failure) -> Self {
    let now = Moment.now
    let local = try open(for: hosts, in: Files(arguments.environment), at: now)
    guard local.authority.end > now else { throw local.ended }
    if local.isNew {
      terminal.errors.write(
        line: terminal.tool.inserted(
          in: "made the authority \(local.files.certificate), which signs for"
            + " \(list(ownNames + hosts)); \"understudy ca\" shows how clients trust it"))
    }
    let warnings =
      local.warnings(for: hosts, at: now)
      + [local.warning(for: address, of: Socket.localHosts)].compactMap(\.self)
    for warning in warnings { terminal.writeWarning(warning) }
    return local
  }

  /// What keeps clients from a server at this address, on a machine with these addresses.
  func warning(for address: SocketAddress, of localHosts: [String]) -> Failure? {
    let isLong = address.host.contains(":")
    let reached =
      address.isWildcard ? localHosts.filter { isLong || !$0.contains(":") } : [address.host]
    let uncovered = reached.filter { !authority.permits($0) }
    guard !uncovered.isEmpty else { return nil }
    return Failure(
      message: "the authority \(files.certificate) does not sign for \(Self.list(uncovered)),"
        + " where clients may reach the server",
      fix: "use localhost, an address of a private network, or a host of an upstream")
  }
}

extension [Upstream] {
  /// The hosts that they stand for, each once, without this machine.
  var hostNames: [String] {
    Set(flatMap(\.hostNames)).filter { !NetworkHost($0).isLoopback }.sorted()
  }
}

extension LocalAuthority {
  /// Where the certificate and the key are.
  struct Files {
    static let anew = "make a new one: \"understudy ca --remove\", then \"understudy ca\""

    let folder: String

    var certificate: String { "\(folder)/ca.pem" }
    var key: String { "\(folder)/ca.key" }

    init(_ environment: (String) -> String?) throws(Failure) {
      guard let folder = StateFolder.path(for: "understudy", environment) else {
        let names = StateFolder.variables.joined(separator: " or ")
        throw Failure(
          message: "no folder for the authority, expected an absolute path in \(names)",
          fix: "set \(StateFolder.variables[0]) to a folder of yours")
      }
      self.folder = folder
    }

    /// Makes the folder if it is missing.
    fileprivate func whileLocked<Value>(
      _ job: (OpenFile) throws(Failure) -> Value
    ) throws(Failure) -> Value {
      let opened: OpenFile
      do throws(Failure) {
        try FileRoot.anywhere.makeFolder(folder, isPrivate: true)
        opened = try FileRoot.anywhere.open(folder, to: "read", .onlyFolder)
      } catch {
        throw error.fixed(by: "set \(StateFolder.variables[0]) to a folder that you may write to")
      }
      // Where locks are not supported, users start one process at a time.
      _ = try? opened.lock(.exclusive)
      return try withExtendedLifetime(opened, job)
    }

    /// Fails where another user can put files in place of these.
    fileprivate func check(_ opened: OpenFile) throws(Failure) {
      let fix = "set \(StateFolder.variables[0]) to a folder of yours"
      guard opened.isOwn else {
        throw Failure(message: "\(folder) belongs to another user", fix: fix)
      }
      guard !opened.isOpenToWriting else {
        throw Failure(
          message: "\(folder) can be changed by other users",
          fix: "chmod 700 \(ShellText.quoted(folder)), and \(Self.anew)")
      }
    }

    /// `nil` where there is none.
    fileprivate func read() throws(Failure) -> TLSAuthority? {
      let root = FileRoot(folder)
      switch (try root.kind(of: certificate), try root.kind(of: key)) {
      case (nil, nil): return nil
      case (nil, _?):
        throw Failure(message: "found \(key) without \(certificate)", fix: Self.anew)
      case (_?, nil):
        throw Failure(message: "found \(certificate) without \(key)", fix: Self.anew)
      case (_?, _?): break
      }
      let pem = (certificate: try root.read(certificate), key: try secret())
      do throws(Failure) {
        return try TLSAuthority(certificate: pem.certificate, key: pem.key)
      } catch {
        throw Failure(
          message: "cannot use \(certificate) and \(key): \(error.message)",
          fix: error.fix.map { "\($0), or \(Self.anew)" } ?? Self.anew)
      }
    }

    /// The key, if nobody else can know it or have chosen it.
    private func secret() throws(Failure) -> [UInt8] {
      let file = try FileRoot(folder).open(key, to: "read", .doesNotWait)
      guard file.isOwn else {
        throw Failure(
          message: "\(key) belongs to another user",
          fix: "remove it, or run this as that user")
      }
      guard file.isPrivate else {
        throw Failure(
          message: "\(key) can be read by other users",
          fix: "chmod 600 \(ShellText.quoted(key)), or if somebody may have read it, \(Self.anew)")
      }
      return try file.read(byteCountMax: FileRoot.byteCountMax)
    }

    fileprivate func write(_ authority: TLSAuthority) throws(Failure) {
      let root = FileRoot(folder)
      try root.write(authority.keyPEM, to: key, isPrivate: true)
      try root.write(authority.certificatePEM, to: certificate, isPrivate: true)
    }

    /// Returns the files that existed.
    func remove() throws(Failure) -> [String] {
      guard try FileRoot.anywhere.kind(of: folder) == .folder else { return [] }
      return try whileLocked { _ throws(Failure) in
        let root = FileRoot(folder)
        let names = Set(try root.names(in: folder).map { "\(folder)/\($0)" })
        let found = [certificate, key].filter(names.contains)
        for file in found { try root.remove(file) }
        return found
      }
    }
  }
}
