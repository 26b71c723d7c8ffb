// `http-benchmark <head> <repetitions>` parses one head repeatedly and prints nanoseconds per head;
// `instructions` beside this file counts the processor's instructions per head.
import Glibc
import UnderstudyHTTP

let heads = [
  "short": """
  GET /hello HTTP/1.1\r
  Host: 127.0.0.1:18070\r
  User-Agent: understudy-bench/1.0\r
  Accept: */*\r
  \r\n
  """,
  "common": """
  GET /orgs/apple/repos?page=2 HTTP/1.1\r
  Host: 127.0.0.1:18070\r
  User-Agent: understudy-bench/1.0\r
  Accept: application/json\r
  Accept-Language: en\r
  \r\n
  """,
]

func nanoseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

func parse(_ text: String, repetitions: Int) {
  var head = RequestHead()
  var complete = 0
  let bytes = Array(text.utf8)
  let start = nanoseconds()
  bytes.withUnsafeBytes { bytes in
    for _ in 0..<repetitions {
      var scanned = 0
      if case .complete = head.parse(bytes, scanned: &scanned) { complete += 1 }
    }
  }
  let elapsed = nanoseconds() - start
  precondition(complete == repetitions, "the head was not taken")
  print("\(bytes.count) bytes: \(Double(elapsed) / Double(max(repetitions, 1))) ns a head")
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let head = heads[arguments[1]], let repetitions = Int(arguments[2])
else {
  print("usage: http-benchmark short|common <repetitions>")
  exit(2)
}
parse(head, repetitions: repetitions)
