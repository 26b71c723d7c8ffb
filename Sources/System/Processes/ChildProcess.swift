#if canImport(Darwin)
  import Darwin
#else
  import Glibc
  import UnderstudyCLinux
#endif

/// A child process, from its start to its end.
///
/// Its owner watches `descriptor` and then calls `ending`, which collects it: until that, its
/// number is not given to another process. One that was started apart has a group of its own, which
/// is killed with it.
///
/// The folder starts and ends processes and looks at this one. After this file read `ProcessTree`,
/// which finds what a process has started; `CommandGuard`, which ends commands after this process
/// was killed; and `CleanStart`, which keeps variables from other processes. `SignalWatch` reads
/// signals like a file, over `SignalDescriptor` or `SignalPipe`. `ThisProcess`, `Environment` and
/// `ProcessTerminal` are about this process, and `AllProcessors` divides work among threads.
package struct ChildProcess: ~Copyable {
  /// How it ended.
  package enum Ending: Equatable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  /// What replaces our standard streams in it; `nil` to inherit ours.
  package struct Streams {
    package var input: Pipe?
    package var output: Pipe?
    package var errors: Pipe?
    /// Whether its output goes to our standard error.
    package var printsToErrors = false

    package init() {}
  }

  package let number: Int32
  /// Whether it has its own process group, which keys on the terminal do not reach.
  private let isApart: Bool
  /// Readable when the process has ended.
  package let descriptor: Int32

  /// Starts a program, found on the `PATH` unless it is given as a path.
  ///
  /// - Parameters:
  ///   - path: the program's path, if the first word does not give it.
  ///   - folder: where it runs, and where relative paths of programs begin; `nil` for ours.
  ///   - isApart: it reads nothing unless given a pipe, and processes it starts are ended with it.
  ///   - inheritsFiles: it gets all files that this process was started with, not only the standard
  ///     streams.
  package init(
    _ words: [String], at path: String? = nil, in folder: String? = nil, environment: [String],
    _ streams: Streams, isApart: Bool, inheritsFiles: Bool = false, _ calls: SystemCalls = .chosen
  ) throws(SystemError) {
    let program = path ?? words.first ?? ""
    do throws(Errno) {
      try Errno.check(words + environment + [program, folder ?? ""])
    } catch {
      throw SystemError(error, attempt: "run \(program)")
    }
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t?
      var actions: posix_spawn_file_actions_t?
    #else
      var attributes = posix_spawnattr_t()
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawnattr_init(&attributes)
    posix_spawn_file_actions_init(&actions)
    defer {
      posix_spawnattr_destroy(&attributes)
      posix_spawn_file_actions_destroy(&actions)
    }
    // We block signals and ignore SIGPIPE; a command expects neither.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    if isApart { flags |= POSIX_SPAWN_SETPGROUP }
    streams.act(&actions, isApart: isApart)
    #if canImport(Darwin)
      if !inheritsFiles {
        flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
        for stream in STDIN_FILENO...STDERR_FILENO {
          posix_spawn_file_actions_addinherit_np(&actions, stream)
        }
      }
    #endif
    posix_spawnattr_setflags(&attributes, Int16(flags))
    #if os(iOS)
      if folder != nil { throw SystemError(Errno(rawValue: ENOTSUP), attempt: "run in a folder") }
    #else
      if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
    #endif
    #if !canImport(Darwin)
      // libcurl's descriptors are not marked as its own.
      if !inheritsFiles, calls == .portable || clinux_close_from(&actions, STDERR_FILENO + 1) != 0 {
        Self.keepAllDescriptors()
      }
    #endif
    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var number: pid_t = 0
    let code = Inheritance.withoutNewDescriptors {
      posix_spawnp(&number, program, &actions, &attributes, arguments, variables)
    }
    guard code == 0 else {
      throw SystemError(Errno(rawValue: code), attempt: "run \(program)")
    }
    try self.init(started: number, isApart: isApart, calls)
  }

  /// Watches a process that was started otherwise.
  init(
    started number: Int32, isApart: Bool, _ calls: SystemCalls = .chosen
  ) throws(SystemError) {
    do throws(SystemError) {
      descriptor = try Self.watch(number, calls)
    } catch {
      systemKill(isApart ? -number : number, SIGKILL)
      waitpid(number, nil, 0)
      throw error
    }
    self.number = number
    self.isApart = isApart
  }

  deinit { close(descriptor) }

  #if !canImport(Darwin)
    /// Keeps all descriptors of this process from its children, whoever made them.
    private static func keepAllDescriptors() {
      let names = (try? Descriptor("/proc/self", .onlyFolder).names(in: "fd")) ?? []
      for number in names.compactMap(Int32.init) where number > STDERR_FILENO {
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
      }
    }
  #endif

  /// A descriptor of its own that is readable once a process has ended: of the process, or of a
  /// pipe whose other end a thread closes then. A handler of SIGCHLD would be the app's.
  private static func watch(_ number: Int32, _ calls: SystemCalls) throws(SystemError) -> Int32 {
    #if !canImport(Darwin)
      if calls == .fast {
        let descriptor = clinux_pidfd_open(number)
        guard descriptor >= 0 else { throw .last("watch a process") }
        return descriptor
      }
    #endif
    guard let ends = Inheritance.pipeEnds(calls) else { throw .last("watch a process") }
    do throws(SystemError) {
      let thread = try SystemThread {
        // Leaves it to be collected: until then, its number is not reused.
        var found = siginfo_t()
        while waitid(P_PID, id_t(number), &found, WEXITED | WNOWAIT) != 0,
          Errno.last == .interrupted
        {}
        close(ends.write)
      }
      thread.detach()
    } catch {
      close(ends.read)
      close(ends.write)
      throw error
    }
    return ends.read
  }

  /// Where a program is: at a path from this folder, on the `PATH`, or beside the running one.
  package static func path(of program: String, in folder: String) -> String? {
    if program.contains("/") {
      return isProgram(program.hasPrefix("/") ? program : "\(folder)/\(program)") ? program : nil
    }
    let folders = (Environment["PATH"] ?? "/bin:/usr/bin").split(separator: ":").map(String.init)
    let found = (folders + [ThisProcess.programFolder].compactMap(\.self)).first {
      isProgram($0.hasPrefix("/") ? "\($0)/\(program)" : "\(folder)/\($0)/\(program)")
    }
    return found.map { "\($0)/\(program)" }
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    guard (try? Errno.check(path)) != nil else { return false }
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  /// Forwards a signal we received, unless the process received it too.
  package borrowing func handOn(_ signal: Int32, isFromKernel: Bool) {
    if isApart || !isFromKernel { send(signal) }
  }

  /// Kills a process that was started apart, with all it has started.
  package static func killGroup(_ number: Int32) {
    // 0 and 1 would mean ours, and every process.
    if number > 1 { systemKill(-number, SIGKILL) }
  }

  private borrowing func send(_ signal: Int32) { systemKill(isApart ? -number : number, signal) }

  /// Kills it at once, with what it has started if it was started apart.
  package borrowing func kill() { send(SIGKILL) }

  /// Waits for the process to end, which it has when the descriptor is readable.
  package consuming func ending() -> Ending {
    var status: Int32 = 0
    // Until it is collected, its process number is not reused.
    if isApart { kill() }
    while waitpid(number, &status, 0) < 0, Errno.last == .interrupted {}
    // What it had started is killed, and ours to collect if we adopt orphans.
    if isApart { while waitpid(-number, nil, 0) > 0 {} }
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
  }
}

#if canImport(Darwin)
  private typealias SpawnActions = posix_spawn_file_actions_t?
#else
  private typealias SpawnActions = posix_spawn_file_actions_t
#endif

extension ChildProcess.Streams {
  fileprivate func act(_ actions: inout SpawnActions, isApart: Bool) {
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input.readEnd, STDIN_FILENO)
    } else if isApart {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    if let output {
      posix_spawn_file_actions_adddup2(&actions, output.writeEnd, STDOUT_FILENO)
    } else if printsToErrors {
      posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    }
    if let errors {
      posix_spawn_file_actions_adddup2(&actions, errors.writeEnd, STDERR_FILENO)
    }
  }
}

extension ChildProcess.Ending: CustomStringConvertible {
  /// How it failed, to follow "the command"; empty if it did not.
  package var description: String {
    switch self {
    case .exited(0): ""
    case .exited(let code): "exited with \(code)"
    case .killed(let signal): "was ended by \(SignalWatch.name(of: signal))"
    }
  }
}
