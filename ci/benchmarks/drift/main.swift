// `drift-benchmark generate <folder>` writes bodies of 5 MB; `drift-benchmark parse|compare
// <repetitions> <contract> <body>` prints the best CPU time in milliseconds of parsing a body, or
// of comparing it with the default case of a contract. `ci/bench drift` runs it.
import Foundation
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyJSON

func cpuSeconds() -> Double {
  var now = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
  return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
}

let arguments = CommandLine.arguments
if arguments.count == 3, arguments[1] == "generate" {
  try Generator(folder: URL(fileURLWithPath: arguments[2])).write()
  exit(0)
}
guard arguments.count == 5, let repetitions = Int(arguments[2]) else {
  print(
    "usage: drift-benchmark generate <folder> | parse|compare <repetitions> <contract> <body>")
  exit(2)
}
let library = try ContractLibrary.load([arguments[3]])
let body = [UInt8](try Data(contentsOf: URL(fileURLWithPath: arguments[4])))
guard let contract = library.contracts.first, let served = contract.defaultCase,
  let response = served.response
else { exit(1) }
let received = LiveResponse(
  status: response.status, headers: response.headers, body: body, latency: .zero)

let work: () throws -> Void =
  switch arguments[1] {
  case "parse": { _ = try JSONDocument(parsing: body) }
  case "compare":
    {
      let comparison = Comparison(
        received, to: served, of: contract, readers: [],
        now: Moment(unixSeconds: 1_893_456_000))
      guard comparison.findings.isEmpty else {
        print(comparison.findings)
        exit(1)
      }
    }
  default: { exit(2) }
  }

var best = Double.infinity
for _ in 0..<repetitions {
  let start = cpuSeconds()
  try work()
  best = min(best, cpuSeconds() - start)
}
print(best * 1e3)
