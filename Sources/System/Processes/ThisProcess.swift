#if canImport(Darwin)
  @preconcurrency import Darwin
  import MachO
#else
  @preconcurrency import Glibc
  import UnderstudyCLinux
#endif

/// The current process.
package enum ThisProcess {
  package static var number: Int32 { getpid() }

  /// The path of the running program, to start it again.
  package static let program: String = {
    #if canImport(Darwin)
      var path = [CChar](repeating: 0, count: Int(PATH_MAX))
      var byteCount = UInt32(path.count)
      return _NSGetExecutablePath(&path, &byteCount) == 0
        ? String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : ""
    #else
      // The link leads to the program even when its file has been replaced. Under a tool that runs
      // it, such as valgrind, starting the link would start that tool; its path is ours.
      let link = "/proc/self/exe"
      return SystemCalls.chosen == .fast ? link : Descriptor.realPath(link) ?? link
    #endif
  }()

  /// The folder of the running program.
  package static var programFolder: String? {
    guard let path = Descriptor.realPath(program) else { return nil }
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }

  /// From now on, writing to a closed pipe fails instead of ending the process.
  package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  /// From now on, blocks of 4 MB and more go back to the system as soon as they are freed.
  package static func returnLargeMemory() {
    #if !canImport(Darwin)
      clinux_return_blocks(4 << 20)
    #endif
  }

  /// Takes memory for many small objects of this thread at once.
  package static func makeRoom(byteCount: Int) {
    #if !canImport(Darwin)
      clinux_make_room(byteCount)
    #endif
  }

  package static func exit(_ code: Int32) -> Never { systemExit(code) }

  /// Ends the process at once, with its whole group if it leads one.
  package static func endWithGroup() -> Never {
    if getpgrp() == getpid() { kill(0, SIGKILL) }
    _exit(1)
  }

  /// How many processors it may use.
  package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Flushes what the C library has buffered.
  package static func flushPrinted() { fflush(nil) }

  /// Takes over standard input and output, so that other code cannot interfere: reading finds
  /// nothing, and printed text goes to standard error, line by line.
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
