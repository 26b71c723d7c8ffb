// One measurement per run: `json-benchmark <contestant> <file> <repetitions>` prints the best CPU
// time in seconds, `json-benchmark generate <folder>` writes the documents. `ci/bench` runs it.
import Foundation
import UnderstudyJSON

struct Repository: Decodable {
  struct Owner: Decodable {
    var login: String
    var id: Int
  }
  var id: Int
  var name: String
  var full_name: String
  var `private`: Bool
  var description: String
  var homepage: String?
  var language: String?
  var stars: Int
  var score: Double
  var owner: Owner
  var topics: [String]
}

func cpuSeconds() -> Double {
  var now = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
  return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
}

/// A line of what the kernel reports about this process, in bytes.
func memory(_ name: String) throws -> Int {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
  return (line?.split(whereSeparator: { !$0.isNumber }).first).flatMap { Int($0) }.map {
    $0 * 1_024
  } ?? 0
}

let arguments = CommandLine.arguments
guard arguments.count >= 3 else { exit(2) }

if arguments[1] == "generate" {
  for document in Documents.all {
    let file = URL(fileURLWithPath: arguments[2]).appendingPathComponent("\(document.name).json")
    try Data(document.make().utf8).write(to: file)
  }
  exit(0)
}

let data = try Data(contentsOf: URL(fileURLWithPath: arguments[2]))
let bytes = [UInt8](data)

let work: () throws -> Void =
  switch arguments[1] {
  case "tree": { _ = try JSONDocument(parsing: bytes) }
  case "JSONSerialization": { _ = try JSONSerialization.jsonObject(with: data) }
  case "decoder":
    {
      let document = try JSONDocument(parsing: bytes)
      _ = try JSONTreeDecoder().decode([Repository].self, from: document.root)
    }
  case "JSONDecoder": { _ = try JSONDecoder().decode([Repository].self, from: data) }
  default: { exit(2) }
  }

if arguments.count == 3 {
  // Memory instead of time: how much the process grows, and its peak.
  let before = try memory("VmRSS")
  let document = try JSONDocument(parsing: bytes)
  print(try memory("VmRSS") - before, try memory("VmHWM"), document.bytes.count)
  exit(0)
}

var best = Double.infinity
for _ in 0..<(Int(arguments[3]) ?? 1) {
  let start = cpuSeconds()
  try work()
  best = min(best, cpuSeconds() - start)
}
print(best)
