import UnderstudyCore
import UnderstudyFakeServer
import UnderstudySystem

/// Files that a command in namespaces of its own sees in place of the system's, so that hosts lead
/// to the fake and clients trust it. Their names are removed with the last reference; the command
/// has the files for as long as its namespaces last.
struct HermeticFiles {
  let mounts: [EnclosurePlan.Mount]
  private let folder: ScratchFolder

  /// - Parameters:
  ///   - bundle: a file of certificates by which the fake is trusted.
  ///   - javaStore: the same for Java.
  ///   - program: the first word of the command.
  init(
    trusting bundle: String, javaStore: String, _ names: NameTable, for program: String,
    _ environment: (String) -> String?
  ) throws(Failure) {
    folder = try ScratchFolder.orError()
    let (root, path) = (FileRoot(folder.path), folder.path)
    var mounts: [EnclosurePlan.Mount] = []
    func replace(_ file: String, with text: [UInt8]) throws(Failure) {
      let own = "\(path)/\(mounts.count)"
      try root.write(text, to: own)
      mounts.append(EnclosurePlan.Mount(own, over: file))
    }
    if let hosts = Self.read("/etc/hosts") {
      try replace("/etc/hosts", with: Array(Self.hosts(hosts, names).utf8))
    }
    if Self.read("/etc/resolv.conf") != nil {
      try replace("/etc/resolv.conf", with: Array("nameserver 127.0.0.1\n".utf8))
    }
    if let sources = Self.read("/etc/nsswitch.conf") {
      try replace("/etc/nsswitch.conf", with: Array(Self.nameSources(sources).utf8))
    }
    // A service outside that would look names up for the command.
    if Descriptor.realPath("/run/nscd/socket") != nil {
      mounts.append(EnclosurePlan.Mount("/dev/null", over: "/run/nscd/socket"))
    }
    mounts += Self.bundles(for: program, environment).map { EnclosurePlan.Mount(bundle, over: $0) }
    mounts += Self.javaStores(environment).map { EnclosurePlan.Mount(javaStore, over: $0) }
    self.mounts = mounts
  }

  private static func read(_ path: String) -> [UInt8]? { try? FileRoot.anywhere.read(path) }

  /// The lines of this machine, and one for each name of an upstream.
  static func hosts(_ system: [UInt8], _ names: NameTable) -> String {
    let kept = String(decoding: system, as: UTF8.self).split(separator: "\n").filter { line in
      let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
      return words.first.map { NetworkHost($0).address?.isLoopback ?? false } ?? false
        && !words.dropFirst().contains { names.declared.contains($0.lowercased()) }
    }
    let own = names.own.isEmpty ? [] : [names.own]
    let added = (["localhost"] + own + names.declared.sorted()).map { "127.0.0.1 \($0)" }
    return (kept.map(String.init) + added).map { "\($0)\n" }.joined()
  }

  /// Names come from the file of hosts and from our name server, not from services outside.
  static func nameSources(_ system: [UInt8]) -> String {
    let lines = String(decoding: system, as: UTF8.self).split(separator: "\n")
    let others = lines.filter { !$0.drop { $0 == " " || $0 == "\t" }.hasPrefix("hosts:") }
    return (others + ["hosts: files dns"]).map { "\($0)\n" }.joined()
  }

  // MARK: - Bundles of certificates

  /// Where packages of Python have theirs.
  private static let packagedBundles = [
    "certifi/cacert.pem", "pip/_vendor/certifi/cacert.pem", "botocore/cacert.pem",
  ]

  /// Every bundle that is found.
  private static func bundles(
    for program: String, _ environment: (String) -> String?
  ) -> Set<String> {
    let packaged = pythonFolders(for: program, environment).flatMap { folder in
      packagedBundles.map { "\(folder)/\($0)" }
    }
    return Set((ClientFiles.systemBundles + packaged).compactMap(Descriptor.realPath))
  }

  /// The folders of packages of every Python that the command may run.
  private static func pythonFolders(
    for program: String, _ environment: (String) -> String?
  ) -> [String] {
    let programs = [program, "python3", "python"].compactMap { name in
      ChildProcess.path(of: name, in: ".")
    }
    let home = environment("HOME") ?? ""
    let versions = "\(environment("PYENV_ROOT") ?? "\(home)/.pyenv")/versions"
    let prefixes =
      ["VIRTUAL_ENV", "CONDA_PREFIX"].compactMap(environment)
      + (programs + programs.compactMap(Descriptor.realPath)).compactMap(prefix)
      + [".venv", "venv", "/usr", "/usr/local", "\(home)/.local"]
      + folders(in: versions).map { "\(versions)/\($0)" }
    var seen: Set<String> = []
    return prefixes.compactMap(Descriptor.realPath).filter { seen.insert($0).inserted }
      .flatMap { prefix in
        folders(in: "\(prefix)/lib").filter { $0.hasPrefix("python3") }.flatMap { version in
          ["site-packages", "dist-packages"].map { "\(prefix)/lib/\(version)/\($0)" }
        }
      }
  }

  /// `/usr` of `/usr/bin/python3`.
  private static func prefix(of program: String) -> String? {
    let parts = program.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count < 3 ? nil : parts.dropLast(2).joined(separator: "/")
  }

  /// Those of every Java that the command may run.
  private static func javaStores(_ environment: (String) -> String?) -> Set<String> {
    let program = ChildProcess.path(of: "java", in: ".").flatMap(Descriptor.realPath)
    let homes = [environment("JAVA_HOME"), program.flatMap(prefix)].compactMap(\.self)
    let files = homes.flatMap { home in
      ["lib", "jre/lib"].map { "\(home)/\($0)/security/cacerts" }
    }
    return Set(files.compactMap(Descriptor.realPath))
  }

  private static func folders(in path: String) -> [String] {
    (try? FileRoot.anywhere.folders(in: path)) ?? []
  }
}
