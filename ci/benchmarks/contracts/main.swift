// `contracts-benchmark generate <folder> <count> equal | distinct | none` writes contracts with such
// schemas; `contracts-benchmark load <repetitions> <folder>` prints the median CPU time of loading and linting a folder, in
// microseconds per contract. `ci/bench contracts` runs it.
import Foundation
import UnderstudyContractModel

func cpuSeconds() -> Double {
  var now = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
  return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
}

func median(of values: [Double]) -> Double { values.sorted()[values.count / 2] }

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "generate" where arguments.count == 5:
  guard let count = Int(arguments[3]), let schemas = Generator.Schemas(rawValue: arguments[4])
  else { exit(2) }
  try Generator(folder: URL(fileURLWithPath: arguments[2]), schemas: schemas).write(count)
case "load" where arguments.count == 4:
  guard let repetitions = Int(arguments[2]), repetitions > 0 else { exit(2) }
  var microseconds: [Double] = []
  for _ in 0..<repetitions {
    let start = cpuSeconds()
    let library = try ContractLibrary.load([arguments[3]])
    let index = RequestIndex(library.upstreams)
    let seconds = cpuSeconds() - start
    guard library.findings.isEmpty, index.upstreams.count == library.upstreams.count else {
      print(library.findings.first.map { "\($0)" } ?? "")
      exit(1)
    }
    microseconds.append(seconds / Double(library.contracts.count) * 1e6)
  }
  print(median(of: microseconds))
default:
  print(
    "usage: contracts-benchmark generate <folder> <count> equal | distinct | none"
      + " | load <repetitions> <folder>")
  exit(2)
}
