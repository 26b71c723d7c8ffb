#if canImport(Darwin)
  import Darwin
#else
  import Glibc
  import UnderstudyCLinux
#endif
import Synchronization

/// Processes and those that they have started, whose groups and sessions may be others.
///
/// Only Linux shows who has started whom; elsewhere a process is ended with its group alone.
package enum ProcessTree {
  /// Whether this process adopts those below it that lose their parents.
  private static let adopts = Atomic(false)
  /// Processes that start others faster than they are found are given up.
  private static let roundCountMax = 100

  /// Kills a process with its group, if it leads one, and with all it has started.
  package static func kill(_ root: Int32, _ calls: SystemCalls = .chosen) {
    // 0 and 1 would mean ours, and every process.
    guard root > 1 else { return }
    let leadsGroup = getpgid(root) == root
    var stopped: [Int32] = []
    // One that is stopped starts no other.
    for _ in 0..<roundCountMax where calls == .fast {
      let new = ([root] + descendants(of: root)).filter { !stopped.contains($0) }
      if new.isEmpty { break }
      for number in new { systemKill(number, SIGSTOP) }
      stopped += new
    }
    if leadsGroup { systemKill(-root, SIGKILL) }
    for number in [root] + stopped { systemKill(number, SIGKILL) }
  }

  /// From now on, processes that lose their parents stay below this one, where the system can do
  /// so.
  package static func adoptOrphans(_ calls: SystemCalls = .chosen) {
    #if !canImport(Darwin)
      if calls == .fast, clinux_adopt_orphans() == 0 { adopts.store(true, ordering: .relaxed) }
    #endif
  }

  /// Kills all processes below this one, if it adopts orphans.
  package static func endAll() {
    guard adopts.load(ordering: .relaxed) else { return }
    for _ in 0..<roundCountMax {
      // What they had started is below us then. Those of other users are not ours to kill.
      let killed = children()[getpid(), default: []].filter { systemKill($0, SIGKILL) }
      if killed.isEmpty { return }
      for number in killed { while waitpid(number, nil, 0) < 0, Errno.last == .interrupted {} }
    }
  }

  /// Kills all processes that were started with this variable, written `NAME=value`, where the
  /// system shows that.
  static func killAll(with variable: String) {
    let variable = Array(variable.utf8)
    killAll { number in
      guard let file = try? Descriptor("/proc/\(number)/environ", []) else { return false }
      let variables = file.read(byteCountMax: 1 << 20, at: 0).split(separator: 0)
      return variables.contains { $0.elementsEqual(variable) }
    }
  }

  /// Kills all processes in a network that is not this process's own.
  package static func killAll(inNetwork network: String) {
    guard network != self.network(of: getpid()) else { return }
    killAll { self.network(of: $0) == network }
  }

  /// What tells the network of a process from others, where the system shows that.
  static func network(of number: Int32) -> String? {
    (try? Descriptor("/proc/\(number)/ns", .onlyFolder))?.link("net")
  }

  private static func killAll(where isMeant: (Int32) -> Bool) {
    for _ in 0..<roundCountMax {
      let killed = numbers().filter { isMeant($0) && systemKill($0, SIGKILL) }
      if killed.isEmpty { return }
    }
  }

  private static func descendants(of root: Int32) -> [Int32] {
    let children = children()
    var found = children[root] ?? []
    var index = 0
    while index < found.count {
      found += children[found[index]] ?? []
      index += 1
    }
    return found
  }

  /// The processes by their parents.
  private static func children() -> [Int32: [Int32]] {
    var children: [Int32: [Int32]] = [:]
    for number in numbers() {
      let line = (try? Descriptor("/proc/\(number)/stat", []))?.read(byteCountMax: 1 << 10, at: 0)
      // `7 (name) S 1 …`, where the name may be anything.
      guard let line, let end = line.lastIndex(of: UInt8(ascii: ")")) else { continue }
      let words = String(decoding: line[(end + 1)...], as: UTF8.self).split(separator: " ")
      if words.count > 1, let parent = Int32(words[1]) {
        children[parent, default: []].append(number)
      }
    }
    return children
  }

  /// The numbers of all processes, where the system shows them.
  private static func numbers() -> [Int32] {
    let names = (try? Descriptor("/proc", .onlyFolder).names(in: ".")) ?? []
    return names.compactMap(Int32.init)
  }
}
