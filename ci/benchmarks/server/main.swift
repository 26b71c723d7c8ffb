// `server-benchmark serve <contracts> <port> <threads>` serves contracts until it is killed, and
// prints how long the start took. `server-benchmark begin <contracts> <rounds>` prints the seconds
// from a server's start to its first response. `ci/bench server` runs it.
import Glibc
import UnderstudyContractModel
import UnderstudyFakeServer
import UnderstudySystem

func milliseconds(_ duration: Duration) -> Int { Int(duration / .milliseconds(1)) }

func serve(_ folder: String, port: UInt16, threadCount: Int) async throws {
  let began = ContinuousClock.now
  let library = try load(folder)
  let loaded = ContinuousClock.now
  var configuration = ServerConfiguration()
  configuration.address = SocketAddress(host: "127.0.0.1", port: port)
  configuration.threadCount = threadCount
  let server = try await FakeServer.start(
    library, configuration: configuration, on: LoopPool(loopCountMax: threadCount))
  print(
    "ready on \(server.address): \(milliseconds(loaded - began)) ms to load,"
      + " \(milliseconds(.now - loaded)) ms to start")
  fflush(nil)
  // ci/bench kills the process; the limit is for when it does not.
  try await Task.sleep(for: .seconds(900))
  await server.close()
}

func load(_ folder: String) throws -> ContractLibrary {
  let library = try ContractLibrary.load([folder])
  if let complaint = library.findings.first(where: { $0.severity == .error }) {
    print(complaint)
    exit(1)
  }
  return library
}

let arguments = CommandLine.arguments
switch (arguments.dropFirst().first, arguments.count) {
case ("serve", 5):
  guard let port = UInt16(arguments[3]), let threadCount = Int(arguments[4]) else { exit(2) }
  try await serve(arguments[2], port: port, threadCount: threadCount)
case ("begin", 4):
  guard let rounds = Int(arguments[3]), rounds > 0 else { exit(2) }
  print(try await Beginning(library: load(arguments[2])).seconds(rounds: rounds))
default:
  print("usage: server-benchmark serve <contracts> <port> <threads> | begin <contracts> <rounds>")
  exit(2)
}
