// `contracts-benchmark <repetitions> <folder>` prints the median CPU time of loading and linting a folder, in
// microseconds per case. `ci/bench contracts` runs it.
import Foundation
import UnderstudyContractModel

func cpuSeconds() -> Double {
  var now = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
  return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let repetitions = Int(arguments[1]), repetitions > 0 else {
  print("usage: contracts-benchmark <repetitions> <folder>")
  exit(2)
}
var microseconds: [Double] = []
for _ in 0..<repetitions {
  let start = cpuSeconds()
  let library = try ContractLibrary.load([arguments[2]])
  let index = RequestIndex(library.upstreams)
  let seconds = cpuSeconds() - start
  guard library.findings.isEmpty, index.upstreams.count == library.upstreams.count else {
    print(library.findings.first.map { "\($0)" } ?? "")
    exit(1)
  }
  let caseCount = library.contracts.reduce(0) { $0 + $1.cases.count }
  microseconds.append(seconds / Double(caseCount) * 1e6)
}
print(microseconds.sorted()[microseconds.count / 2])
