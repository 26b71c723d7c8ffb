@preconcurrency import Glibc

/// The process we are.
package enum ThisProcess {
  package static var number: Int32 { getpid() }

  /// What it runs, for another to run it, too.
  package static let program = "/proc/self/exe"

  /// A reader that leaves early ends a write from now on, not the process.
  package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  package static func exit(_ code: Int32) -> Never { Glibc.exit(code) }

  /// Ends it at once, with all that is in its group if it leads one.
  package static func endWithGroup() -> Never {
    if getpgrp() == getpid() { kill(0, SIGKILL) }
    _exit(1)
  }

  /// Writes what the C library has kept of what was printed.
  package static func flushPrinted() { fflush(nil) }

  /// Takes its input and output for us, out of the way of what prints and reads: there is nothing to
  /// read any more, and what is printed goes where errors do, line by line.
  package static func takeStandardStreams() -> (input: Descriptor, output: Descriptor)? {
    let input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    dup2(nothing, STDIN_FILENO)
    close(nothing)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    setvbuf(stdout, nil, _IOLBF, 0)
    guard input >= 0, output >= 0 else { return nil }
    return (Descriptor(input), Descriptor(output))
  }
}
