import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyCore

@testable import UnderstudyFakeServer

/// Real files and the kernel's own events; nothing here waits but for them.
@Suite struct ContractWatchTests {
  @Test(
    "a change of files becomes a change of contracts",
    arguments: [
      ("write", "changed dogs/all"), ("rename", "changed dogs/all"),
      ("body", "changed dogs/picture"),
      ("remove", "removed dogs/other"), ("add", "added dogs/more"),
      ("folder", "added cats, cats/all"), ("upstream", "changed dogs"),
      ("replace", "changed dogs/all"),
    ])
  func change(deed: String, description: String) throws {
    let folder = try Folder()
    var watch = try folder.watch()
    try folder.perform(deed)
    let outcome = try folder.next(&watch)
    guard case .changed(let library, let change) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(change.description == description)
    #expect(!library.contracts.isEmpty)
  }

  @Test("a broken set is reported, and so is its repair")
  func broken() throws {
    let folder = try Folder()
    var watch = try folder.watch()
    let sound = try folder.read("dogs/all.json")
    try folder.write("dogs/all.json", "{")
    guard case .broken(let library) = try folder.next(&watch) else {
      Issue.record("the broken set was taken")
      return
    }
    #expect(library.findings.map(\.type).contains(.invalidJSON))
    try folder.write("dogs/all.json", sound)
    guard case .mended = try folder.next(&watch) else {
      Issue.record("the mended set is no news")
      return
    }
  }

  @Test("what lacks descriptors is read again without another change, and said once")
  func passing() throws {
    let folder = try Folder()
    let library = try ContractLibrary.load([folder.contracts.path])
    var failures = 2
    var watch = try ContractWatch(folders: [folder.contracts.path]) { () throws(Failure) in
      failures -= 1
      if failures >= 0 { throw .system("read", "Contracts", .tooManyOpenFiles) }
      return library
    }
    watch.start(with: ContractLibrary(of: []), mayHaveChanged: true)
    guard case .unreadable(let error) = try folder.next(&watch) else {
      Issue.record("it was read")
      return
    }
    #expect(
      error.message
        == "cannot read Contracts: too many open files; trying again until it works")
    guard case .changed(_, let change) = try folder.next(&watch) else {
      Issue.record("it was not tried again")
      return
    }
    #expect(failures == -1)
    #expect(change.added.contains("dogs/all"))
    #expect(watch.millisecondsLeft == nil)
  }

  @Test("a folder that goes away and comes back is still watched")
  func gone() throws {
    let folder = try Folder()
    var watch = try folder.watch()
    try FileManager.default.moveItem(at: folder.contracts, to: folder.root.appending(path: "gone"))
    guard case .unreadable(let error) = try folder.next(&watch) else {
      Issue.record("there is nothing to read")
      return
    }
    #expect(error.message == "no such file or folder: \(folder.contracts.path)")
    try FileManager.default.moveItem(at: folder.root.appending(path: "gone"), to: folder.contracts)
    guard case .mended = try folder.next(&watch) else {
      Issue.record("the old set is no news")
      return
    }
    try folder.perform("write")
    guard case .changed = try folder.next(&watch) else {
      Issue.record("the change was missed")
      return
    }
  }

  @Test("an editor's own files, and white space, do not count as a change")
  func noise() throws {
    let folder = try Folder()
    var watch = try folder.watch()
    try folder.write("dogs/.all.json.swp", "noise")
    try folder.write("dogs/all.json", try folder.read("dogs/all.json") + "\n\n")
    // Found in one burst with the noise: only the last is news.
    try folder.perform("add")
    guard case .changed(_, let change) = try folder.next(&watch) else {
      Issue.record("the change was missed")
      return
    }
    #expect(change.description == "added dogs/more")
  }

  @Test("lists only the first of many names")
  func many() throws {
    let folder = try Folder()
    var watch = try folder.watch()
    for name in ["a", "b", "c", "d", "e"] {
      try folder.write("dogs/\(name).json", Folder.contract("/\(name)", "x"))
    }
    var added: [String] = []
    var texts: [String] = []
    // However the kernel's events fall into bursts.
    while added.count < 5 {
      guard case .changed(_, let change) = try folder.next(&watch) else { break }
      added += change.added
      texts.append(change.description)
    }
    #expect(added == ["dogs/a", "dogs/b", "dogs/c", "dogs/d", "dogs/e"])
    if texts.count == 1 { #expect(texts == ["added dogs/a, dogs/b, dogs/c and 2 more"]) }
  }
}

/// A folder of contracts for one test, and what can happen to it.
private final class Folder {
  let root = FileManager.default.temporaryDirectory.appending(path: "watch \(UUID().uuidString)")
  var contracts: URL { root.appending(path: "Contracts") }

  init() throws {
    try write("dogs/upstream.json", #"{ "summary": "Dogs", "baseURL": "https://dogs.example" }"#)
    try write("dogs/all.json", Self.contract("/all", "old"))
    try write("dogs/other.json", Self.contract("/other", "old"))
    try write("dogs/files/picture.txt", "old")
    try write(
      "dogs/picture.json",
      Self.contract("/picture", "").replacing(#""text": """#, with: #""file": "files/picture.txt""#)
    )
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  static func contract(_ path: String, _ text: String) -> String {
    """
    {
      "request": { "method": "GET", "path": "\(path)" },
      "cases": { "ok": { "status": 200, "text": "\(text)" } }
    }
    """
  }

  func write(_ name: String, _ text: String) throws {
    let file = contracts.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: false, encoding: .utf8)
  }

  func read(_ name: String) throws -> String {
    try String(contentsOf: contracts.appending(path: name), encoding: .utf8)
  }

  func perform(_ deed: String) throws {
    let new = Self.contract("/all", "new")
    switch deed {
    case "write": try write("dogs/all.json", new)
    case "rename":
      try new.write(
        to: contracts.appending(path: "dogs/all.json"), atomically: true, encoding: .utf8)
    case "replace":
      try FileManager.default.removeItem(at: contracts.appending(path: "dogs/all.json"))
      try write("dogs/all.json", new)
    case "remove":
      try FileManager.default.removeItem(at: contracts.appending(path: "dogs/other.json"))
    case "add": try write("dogs/more.json", Self.contract("/more", "new"))
    case "upstream":
      try write("dogs/upstream.json", #"{ "summary": "Cats", "baseURL": "https://dogs.example" }"#)
    case "body": try write("dogs/files/picture.txt", "new")
    case "folder":
      let made = root.appending(path: "cats")
      try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
      try #"{ "summary": "Cats", "baseURL": "https://cats.example" }"#
        .write(to: made.appending(path: "upstream.json"), atomically: false, encoding: .utf8)
      try Self.contract("/all", "x")
        .write(to: made.appending(path: "all.json"), atomically: false, encoding: .utf8)
      try FileManager.default.moveItem(at: made, to: contracts.appending(path: "cats"))
    default: Issue.record("unknown deed \(deed)")
    }
  }

  /// A watch that has seen all there is at its beginning.
  func watch() throws -> ContractWatch {
    var watch = try ContractWatch([contracts.path], for: .serving)
    let library = try ContractLibrary.load([contracts.path])
    #expect(library.findings.filter { $0.severity == .error } == [])
    watch.start(with: library)
    #expect(watch.millisecondsLeft == nil)
    return watch
  }

  struct Silence: Error {}

  /// The next outcome that is news. Fails when nothing has come for far longer than it takes.
  func next(_ watch: inout ContractWatch) throws -> ContractWatch.Outcome {
    while true {
      var descriptors = [pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)]
      let count = poll(&descriptors, 1, watch.millisecondsLeft ?? 20_000)
      if count == 0, watch.millisecondsLeft == nil { throw Silence() }
      watch.takeEvents()
      if watch.millisecondsLeft == 0, let outcome = watch.reload() { return outcome }
    }
  }
}
