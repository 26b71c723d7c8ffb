// `yaml-benchmark json` reads paths from its input and prints for each a line: the documents of the
// file as a JSON array, or the complaint. `yaml-benchmark time FILE REPETITIONS` prints the best
// CPU time of reading the file, in seconds. `ci/compare yaml` and `ci/bench` run it.
import Foundation
import UnderstudyJSON
import UnderstudyYAML

func cpuSeconds() -> Double {
  var now = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
  return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
}

func bytes(of path: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
}

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "json":
  while let path = readLine() {
    let bytes = try bytes(of: path)
    do throws(YAMLError) {
      let documents = try YAMLStream.documents(of: bytes)
      let texts = documents.map { String(decoding: $0.root.compact, as: UTF8.self) }
      print("[\(texts.joined(separator: ","))]")
    } catch {
      print(error.description.replacing("\n", with: " "))
    }
  }
case "time" where arguments.count == 4:
  let bytes = try bytes(of: arguments[2])
  var best = Double.infinity
  for _ in 0..<(Int(arguments[3]) ?? 1) {
    let start = cpuSeconds()
    _ = try JSONDocument(yaml: bytes)
    best = min(best, cpuSeconds() - start)
  }
  print(best)
default: exit(2)
}
