// `client-benchmark <URL> <requests> <concurrency>` requests a URL from this many tasks at once,
// and prints the elapsed seconds and the seconds of CPU time. `ci/bench client` runs it.
import Glibc
import UnderstudyClient

func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

func usedSeconds() -> Double {
  var usage = rusage()
  getrusage(RUSAGE_SELF.rawValue, &usage)
  return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[2]), let concurrency = Int(arguments[3])
else {
  print("usage: client-benchmark <URL> <requests> <concurrency>")
  exit(2)
}
var configuration = CurlConfiguration()
configuration.ignoresProxies = true
let transport = CurlTransport(configuration)
let request = ClientRequest(url: arguments[1])

func ask(_ count: Int) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    for _ in 0..<concurrency {
      group.addTask {
        for _ in 0..<(count / concurrency) {
          guard try await transport.send(request).status == 200 else { exit(1) }
        }
      }
    }
    try await group.waitForAll()
  }
}

try await ask(concurrency * 10)
let began = ContinuousClock.now
let usedBefore = usedSeconds()
try await ask(count)
print((ContinuousClock.now - began) / .seconds(1), usedSeconds() - usedBefore)
await transport.close()
