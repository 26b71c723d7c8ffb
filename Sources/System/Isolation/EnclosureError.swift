#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Why a command cannot have namespaces of its own.
package struct EnclosureError: Error, Sendable {
  enum Step: Hashable, Sendable {
    /// Only Linux has them.
    case system
    case process, namespaces, network
    case mount(String)
    case listen(UInt16)
  }

  let step: Step
  let code: Errno

  init(_ step: Step, _ code: Errno) { (self.step, self.code) = (step, code) }

  /// What the system refused, as a whole message.
  package var message: String {
    switch step {
    case .system: "only Linux can keep a command on this machine"
    case .process: "cannot start a process for the command: \(code)"
    case .namespaces where code == .noSpace:
      "the system gives the command no namespaces of its own: their limit is reached"
    case .namespaces: "the system gives the command no namespaces of its own: \(code)"
    case .network: "the system gives the command no network of its own: \(code)"
    case .mount(let path): "cannot replace \(path) for the command: \(code)"
    case .listen(let port): "cannot listen on port \(port) of the command's network: \(code)"
    }
  }

  /// What allows it here; `nil` where nothing is known to.
  package var fix: String? { fix { try? Descriptor($0, []).read(byteCountMax: 32, at: 0) } }

  func fix(_ read: (String) -> [UInt8]?) -> String? {
    func setting(_ path: String) -> Int? {
      read("/proc/sys/\(path)").flatMap { bytes in
        Int(String(decoding: bytes.prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self))
      }
    }
    guard [EPERM, EACCES, ENOSPC, EUSERS, EINVAL, ENOSYS].contains(code.rawValue) else {
      return nil
    }
    if step == .system || step == .process { return nil }
    if setting("kernel/apparmor_restrict_unprivileged_userns") == 1, geteuid() != 0 {
      return "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"
    }
    if setting("kernel/unprivileged_userns_clone") == 0, geteuid() != 0 {
      return "sudo sysctl kernel.unprivileged_userns_clone=1"
    }
    if setting("user/max_user_namespaces") == 0 {
      return "sudo sysctl user.max_user_namespaces=10000"
    }
    return "in a container, start it with --cap-add SYS_ADMIN --cap-add NET_ADMIN"
      + " --security-opt seccomp=unconfined --security-opt apparmor=unconfined"
  }
}
