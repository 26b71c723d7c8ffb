import Synchronization
import UnderstudySystem

/// A worker's side of the pipes to its parent process.
package enum WorkerPipe {
  /// Our input and output, moved away from services.
  private static let streams = Mutex<(orders: Descriptor, lines: Descriptor)?>(nil)

  /// The worker's instructions; `nil` when it was not started as a worker. From then on it ends,
  /// with its child processes, when the parent does.
  package static func open() -> WorkerOrder? {
    guard let (orders, lines) = ThisProcess.takeStandardStreams() else { return nil }
    streams.withLock { $0 = (orders, lines) }
    guard let line = readLine(from: orders), let order = WorkerOrder(parsing: line),
      // On its own thread, since services may keep all others busy.
      let thread = try? SystemThread({ endWithParent(orders) })
    else { return nil }
    thread.detach()
    return order
  }

  /// Thread-safe.
  static func tell(_ line: WorkerLine) {
    streams.withLock { streams in
      do throws(Errno) {
        try streams?.lines.write(line.bytes)
      } catch {
        // The parent has closed the pipe.
        ThisProcess.exit(1)
      }
    }
  }

  /// Sends the last line, behind what services have printed: the parent then ends this process.
  static func finish() {
    ThisProcess.flushPrinted()
    tell(.finished)
  }

  /// The commands that are running, which end when this process does: on its own if its parent is
  /// gone, else by its parent.
  private static let commands = Mutex<Set<Int32>>([])

  static func note(command process: Int32, isRunning: Bool) {
    commands.withLock { commands in
      if isRunning { commands.insert(process) } else { commands.remove(process) }
    }
    tell(
      isRunning ? .commandBegun(process: Int(process)) : .commandEnded(process: Int(process)))
  }

  private static func endWithParent(_ orders: Descriptor) {
    var rest: [UInt8] = []
    while let count = try? orders.read(onto: &rest, byteCountMax: 1), count > 0 { rest = [] }
    commands.withLock { for number in $0 { ProcessTree.kill(number) } }
    ProcessTree.endAll()
    ThisProcess.endWithGroup()
  }

  private static func readLine(from orders: Descriptor) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.last != UInt8(ascii: "\n") {
      guard let count = try? orders.read(onto: &bytes, byteCountMax: 1 << 12), count > 0 else {
        return nil
      }
    }
    return bytes
  }
}
