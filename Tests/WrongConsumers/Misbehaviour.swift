import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What a service does that ends, blocks or confuses its process, by the setup of the joke it gets.
enum Misbehaviour: String {
  case crash, exit, spin, block, wait, shared, orphan, noise

  private static let callCount = Atomic(0)

  func act() {
    switch self {
    case .crash: fatalError("a joke too far")
    case .exit: endProcess()
    case .spin:
      Self.tell("\(getpid())")
      while true {}
    case .block:
      Self.tell("\(getpid())")
      while true { sleep(1_000) }
    case .wait:
      // Until nobody has the other end any more. Who is told may let go of it at once.
      let release = open("release", O_RDONLY | O_CLOEXEC)
      Self.tell("\(getpid())")
      Self.readOn(release)
    case .shared:
      // Only the second in a process crashes.
      if Self.callCount.wrappingAdd(1, ordering: .relaxed).oldValue > 0 {
        fatalError("two jokes at once")
      }
    case .orphan:
      Self.tell("\(Self.startOrphan())")
      fatalError("left somebody behind")
    case .noise: Self.makeNoise()
    }
  }

  /// Says something to whoever has opened the named pipe `events` here.
  static func tell(_ text: String) {
    let file = open("events", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    let bytes = Array("\(text)\n".utf8)
    _ = write(file, bytes, bytes.count)
    close(file)
  }

  private static func readOn(_ file: Int32) {
    var byte: UInt8 = 0
    while readByte(file, &byte) > 0 {}
    close(file)
  }

  /// Somebody in a session of his own who has our output and errors for a minute.
  private static func startOrphan() -> pid_t {
    let program = ["setsid", "sleep", "60"]
    let words = program.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var id: pid_t = 0
    posix_spawnp(&id, "setsid", nil, nil, words, environ)
    return id
  }

  /// Into every pipe there is, in the hope that somebody takes it for his.
  private static func makeNoise() {
    let lines =
      "\n!\n[]\n[\"begun\",-1]\n[\"begun\",9223372036854775807]\n[\"attempted\",99]\n"
      + "[\"checked\",0,{}]\n[\"planned\",99,-1]\n[\"mutant\",99,99,\"x\"]\n"
    let bytes = Array(lines.utf8)
    for descriptor in Int32(1)..<64 {
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { continue }
      _ = write(descriptor, bytes, bytes.count)
    }
  }
}

// Names of the C library that mean something else inside the type.
private func endProcess() -> Never { exit(0) }
private func readByte(_ file: Int32, _ byte: inout UInt8) -> Int { read(file, &byte, 1) }
