// `server-benchmark generate <folder> <count>` writes contracts and a file with a path a line;
// `server-benchmark serve <folder> <port> <threads>` serves them until it is killed, and says on a
// line how long the start took. `ci/bench server` drives it.
import ContractModel
import FakeServer
import Foundation

func generate(_ count: Int, into folder: URL) throws {
  let upstream = folder.appending(path: "contracts/shop")
  try FileManager.default.createDirectory(at: upstream, withIntermediateDirectories: true)
  try Data("{ \"summary\": \"made for ci/bench\" }".utf8)
    .write(to: upstream.appending(path: "upstream.json"))
  let thing = "{ \"id\": 17, \"name\": \"a thing\", \"price\": 12.5, \"tags\": [\"new\", \"red\"] }"
  let body = Array(repeating: thing, count: 5).joined(separator: ", ")
  var paths = ""
  for number in 0..<count {
    // Every other path has a parameter.
    let isPlain = number % 2 == 0
    let template = isPlain ? "/items/\(number)" : "/shelves/\(number)/{item}/stock"
    paths += "/shop" + (isPlain ? template : "/shelves/\(number)/any/stock") + "\n"
    let contract = """
      {
        "request": { "method": "GET", "path": "\(template)" },
        "cases": {
          "ok": {
            "status": 200,
            "headers": { "Content-Type": "application/json" },
            "body": [\(body)]
          }
        }
      }
      """
    try Data(contract.utf8).write(to: upstream.appending(path: "c\(number).json"))
  }
  try Data(paths.utf8).write(to: folder.appending(path: "paths"))
}

func milliseconds(_ duration: Duration) -> String {
  "\((duration / .milliseconds(1)).rounded())"
}

func serve(_ folder: String, port: UInt16, threadCount: Int) async throws {
  let began = ContinuousClock.now
  let library = try ContractLibrary.load([folder])
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
  // Until ci/bench kills the process.
  try await Task.sleep(for: .seconds(600))
  await server.close()
}

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "generate" where arguments.count == 4:
  guard let count = Int(arguments[3]) else { exit(2) }
  try generate(count, into: URL(filePath: arguments[2]))
case "serve" where arguments.count == 5:
  guard let port = UInt16(arguments[3]), let threadCount = Int(arguments[4]) else { exit(2) }
  try await serve(arguments[2], port: port, threadCount: threadCount)
default:
  print(
    "usage: server-benchmark generate <folder> <count> | serve <contracts> <port> <threads>")
  exit(2)
}
