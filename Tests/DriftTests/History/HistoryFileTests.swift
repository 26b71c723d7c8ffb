import Foundation
import Synchronization
import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFindings
import UnderstudyTestSupport

@Suite struct HistoryFileTests {
  /// A file in a folder that is not there yet.
  private final class Place: Sendable {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("understudy-history-\(UUID().uuidString)")
    var path: String { folder.appendingPathComponent("drift/history.jsonl").path }

    deinit { try? FileManager.default.removeItem(at: folder) }
  }

  private static func record(_ at: Int, _ caseName: String = "ok") -> HistoryRecord {
    HistoryRecord(
      at: Moment(unixSeconds: at), Check.Identity("joke/random", caseName, consumer: nil), .pass)
  }

  @Test("a missing history is empty")
  func missing() throws {
    let (history, brokenLines) = try HistoryFile(path: Place().path).read()
    #expect(history.records.isEmpty)
    #expect(brokenLines.isEmpty)
  }

  @Test("what is appended is read, run after run")
  func runs() throws {
    let place = Place()
    let file = HistoryFile(path: place.path)
    try file.append([Self.record(1), Self.record(1, "not-found")])
    try file.append([])
    try file.append([Self.record(2)])
    let (history, brokenLines) = try file.read()
    #expect(
      history.records == [Self.record(1), Self.record(1, "not-found"), Self.record(2)])
    #expect(brokenLines.isEmpty)
  }

  /// As a kill or a full disk leaves it: cut at any byte of the second run.
  @Test("a torn line costs that line alone, and the next run begins on a new one")
  func torn() throws {
    let place = Place()
    let file = HistoryFile(path: place.path)
    try file.append([Self.record(1)])
    let first = try Data(contentsOf: URL(fileURLWithPath: place.path))
    try file.append([Self.record(2)])
    let whole = try Data(contentsOf: URL(fileURLWithPath: place.path))
    for count in first.count...whole.count {
      try whole.prefix(count).write(to: URL(fileURLWithPath: place.path))
      let isTorn = count > first.count && count < whole.count - 1
      #expect(try file.read().brokenLines.map(\.number) == (isTorn ? [2] : []))
      try file.append([Self.record(3)])
      let (history, brokenLines) = try file.read()
      #expect(history.records.first == Self.record(1))
      #expect(history.records.last == Self.record(3))
      #expect(brokenLines.map(\.number) == (isTorn ? [2] : []))
    }
  }

  @Test("lines that are not records are reported by number")
  func broken() throws {
    let place = Place()
    let file = HistoryFile(path: place.path)
    try file.append([Self.record(1)])
    let handle = try #require(FileHandle(forWritingAtPath: place.path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("{\"at\":\n\n\u{FFFD}[]\n".utf8))
    try file.append([Self.record(2)])
    let (history, brokenLines) = try file.read()
    #expect(history.records == [Self.record(1), Self.record(2)])
    #expect(brokenLines.map(\.number) == [2, 4])
  }

  @Test("a record from later than tomorrow does not count, whatever clock it comes from")
  func future() throws {
    let place = Place()
    let file = HistoryFile(path: place.path)
    let (now, day) = (1_000_000, 86_400)
    try file.append([Self.record(now + day), Self.record(now + day + 1), Self.record(now)])
    let (history, brokenLines) = try file.read(now: Moment(unixSeconds: now))
    #expect(history.records == [Self.record(now), Self.record(now + day)])
    #expect(brokenLines.map(\.number) == [2])
    #expect(brokenLines.map(\.message) == ["its time is in the future, on 1970-01-13"])
  }

  @Test("many write at once, and every line is whole")
  func together() async throws {
    let place = Place()
    let path = place.path
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<16 {
        group.addTask {
          let records = (0..<20).map { Self.record(writer, "case-\($0)") }
          try? HistoryFile(path: path).append(records)
        }
      }
    }
    let (history, brokenLines) = try HistoryFile(path: path).read()
    #expect(history.records.count == 320)
    #expect(brokenLines.isEmpty)
    // The records of one run stand together.
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    for start in stride(from: 0, to: lines.count, by: 20) {
      #expect(Set(lines[start..<start + 20].map { $0.prefix { $0 != "," } }).count == 1)
    }
  }

  @Test("a file of other lines is not a history, and the beginning of a first line may be one")
  func foreign() throws {
    let place = Place()
    let file = HistoryFile(path: place.path)
    try file.append([Self.record(1)])
    try Data("root:x:0:0\nbin:x:1:1\n".utf8).write(to: URL(fileURLWithPath: place.path))
    let error = #expect(throws: Failure.self) { try file.read() }
    #expect(
      error?.message == "no history in \(place.path): none of its lines is a record of"
        + " understudy drift")
    #expect(error?.fix == "name a file written by understudy drift")
    try Data("{\"at\":".utf8).write(to: URL(fileURLWithPath: place.path))
    #expect(try file.read().brokenLines.map(\.number) == [1])
  }

  @Test("a reader waits until a writer has finished")
  func waiting() async throws {
    let (place, other) = (Place(), Place())
    let file = HistoryFile(path: place.path)
    try file.append([Self.record(1)])
    try HistoryFile(path: other.path).append([Self.record(2)])
    let line = try Array(Data(contentsOf: URL(fileURLWithPath: other.path)))
    let writer = open(place.path, O_WRONLY | O_APPEND | O_CLOEXEC)
    defer { close(writer) }
    try #require(flock(writer, LOCK_EX) == 0)
    try #require(write(writer, line, 10) == 10)
    let isDone = Mutex(false)
    async let reading = offPool {
      defer { isDone.withLock { $0 = true } }
      return try file.read()
    }
    var status = stat()
    try #require(fstat(writer, &status) == 0)
    // Until the kernel says that somebody waits for the file.
    while !isDone.withLock(\.self) {
      let locks = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
      let isAwaited = locks.split(separator: "\n").contains {
        $0.contains("-> FLOCK") && $0.contains(":\(status.st_ino) ")
      }
      if isAwaited { break }
      await Task.yield()
    }
    try #require(write(writer, Array(line[10...]), line.count - 10) == line.count - 10)
    try #require(flock(writer, LOCK_UN) == 0)
    let (history, brokenLines) = try await reading
    #expect(history.records == [Self.record(1), Self.record(2)])
    #expect(brokenLines.isEmpty)
  }

  @Test("says where it cannot be written or read, and what to do")
  func refusals() throws {
    let place = Place()
    try FileManager.default.createDirectory(
      atPath: place.path, withIntermediateDirectories: true)
    let file = HistoryFile(path: place.path)
    let writing = #expect(throws: Failure.self) { try file.append([Self.record(1)]) }
    #expect(writing?.message == "cannot write \(place.path): is a directory")
    #expect(writing?.fix == "make the file writable, or name another file")
    let reading = #expect(throws: Failure.self) { try file.read() }
    #expect(reading?.message == "\(place.path) is not a file")
  }
}
