import Glibc
import UnderstudyCLinux
import UnderstudyFakeServer

/// A command that runs beside us, from its start to its end.
struct ChildProcess: ~Copyable {
  /// How a command ended.
  enum Ending: Equatable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  /// Where it prints.
  enum Output {
    /// Where we do.
    case ours
    /// All of it where we print errors.
    case ourErrors
    case pipes(CommandOutput)
  }

  private let number: pid_t
  /// Whether it has a group of its own, which keys of the terminal do not reach.
  private let isApart: Bool
  /// Readable when the command has ended.
  let descriptor: Int32

  /// Looks for the program on the `PATH` unless it is named by a path.
  ///
  /// - Parameter isApart: it reads nothing, and what it starts is ended with it.
  init(
    _ words: [String], environment: [String], output: Output, isApart: Bool
  ) throws(SystemError) {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer {
      posix_spawnattr_destroy(&attributes)
      posix_spawn_file_actions_destroy(&actions)
    }
    // We hold signals back, and do without SIGPIPE; a command expects neither.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    switch output {
    case .ours: break
    case .ourErrors:
      posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    case .pipes(let pipes):
      posix_spawn_file_actions_adddup2(&actions, pipes.stdout.writeEnd, STDOUT_FILENO)
      posix_spawn_file_actions_adddup2(&actions, pipes.stderr.writeEnd, STDERR_FILENO)
    }
    if isApart {
      flags |= POSIX_SPAWN_SETPGROUP
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    let program = words.first ?? ""
    var number: pid_t = 0
    let code = posix_spawnp(&number, program, &actions, &attributes, arguments, variables)
    guard code == 0 else { throw SystemError(code: code, attempt: "run \(program)") }
    let descriptor = clinux_pidfd_open(number)
    guard descriptor >= 0 else {
      let error = SystemError.last("watch \(program)")
      kill(number, SIGKILL)
      waitpid(number, nil, 0)
      throw error
    }
    self.number = number
    self.isApart = isApart
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Hands a signal on that we got, unless it got it as well.
  borrowing func handOn(_ signal: Int32, isFromKernel: Bool) {
    if isApart || !isFromKernel { send(signal) }
  }

  borrowing func send(_ signal: Int32) { kill(isApart ? -number : number, signal) }

  /// Waits for the end, which has come when the descriptor is readable.
  consuming func ending() -> Ending {
    var status: Int32 = 0
    // As long as it is not collected, its number is nobody else's.
    if isApart { kill(-number, SIGKILL) }
    while waitpid(number, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
  }
}

extension ChildProcess.Ending: CustomStringConvertible {
  /// What is wrong with it, to stand after "the command"; empty when nothing is.
  var description: String {
    switch self {
    case .exited(0): ""
    case .exited(let code): "exited with \(code)"
    case .killed(let signal): "was ended by \(SignalWatch.name(of: signal))"
    }
  }
}
