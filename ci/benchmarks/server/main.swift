// `server-benchmark <contracts> <port> <threads>` serves contracts until it is killed, and says on a
// line how long the start took. `ci/bench server` drives it.
import ContractModel
import FakeServer
import Glibc

func milliseconds(_ duration: Duration) -> Int { Int(duration / .milliseconds(1)) }

let arguments = CommandLine.arguments
guard arguments.count == 4, let port = UInt16(arguments[2]), let threadCount = Int(arguments[3])
else {
  print("usage: server-benchmark <contracts> <port> <threads>")
  exit(2)
}
let began = ContinuousClock.now
let library = try ContractLibrary.load([arguments[1]])
let loaded = ContinuousClock.now
if let complaint = library.diagnostics.first(where: { $0.severity == .error }) {
  print(complaint)
  exit(1)
}
var configuration = ServerConfiguration()
configuration.address = SocketAddress(host: "127.0.0.1", port: port)
configuration.threadCount = threadCount
let server = try await FakeUpstream.start(
  library, configuration: configuration, on: LoopPool(loopCountMax: threadCount))
print(
  "ready on \(server.address): \(milliseconds(loaded - began)) ms to load,"
    + " \(milliseconds(.now - loaded)) ms to start")
fflush(nil)
// For ci/bench to kill the process, which may come to nothing.
try await Task.sleep(for: .seconds(900))
await server.close()
