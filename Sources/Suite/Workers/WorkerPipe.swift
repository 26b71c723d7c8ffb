import Synchronization
import UnderstudySystem

/// A worker's side of the pipes to the process that started it.
package enum WorkerPipe {
  /// Our input and output, out of the way of services.
  private static let streams = Mutex<(orders: Descriptor, lines: Descriptor)?>(nil)

  /// What this worker is to do; `nil` when nobody who starts workers has started it. From then on it
  /// ends, with what it has started, when the other process does.
  package static func open() -> WorkerOrder? {
    guard let (orders, lines) = ThisProcess.takeStandardStreams() else { return nil }
    streams.withLock { $0 = (orders, lines) }
    guard let line = readLine(from: orders), let order = WorkerOrder(parsing: line),
      // On a thread of its own, for services may keep all others busy.
      let thread = try? SystemThread({ endWithParent(orders) })
    else { return nil }
    thread.detach()
    return order
  }

  /// Any thread may tell something.
  static func tell(_ line: WorkerLine) {
    streams.withLock { streams in
      do throws(Errno) {
        try streams?.lines.write(line.bytes)
      } catch {
        // Nobody listens any more.
        ThisProcess.exit(1)
      }
    }
  }

  private static func endWithParent(_ orders: Descriptor) {
    var rest: [UInt8] = []
    while let count = try? orders.read(onto: &rest, byteCountMax: 1), count > 0 { rest = [] }
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
