import Foundation
import Testing
import UnderstudySystem

@Suite("Changes in folders")
struct FolderEventsTests {
  private let folder: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    folder = url.path
  }

  private func write(_ name: String, _ text: String = "") throws {
    try Descriptor("\(folder)/\(name)", [.writes, .creates, .empties]).write(Array(text.utf8))
  }

  /// The first event that is meant; others may come before it.
  private func next(
    _ events: borrowing FolderEvents, where isMeant: (FolderEvents.Event) -> Bool = { _ in true }
  ) -> FolderEvents.Event {
    while true {
      _ = Readiness.wait(for: [events.descriptor])
      if let event = events.take().first(where: isMeant) { return event }
    }
  }

  @Test("what is new, changed or removed is reported by name", arguments: SystemCalls.all)
  func names(calls: SystemCalls) throws {
    try write("old.json")
    try write("gone.json")
    let events = try FolderEvents(calls)
    let number = events.watch(folder)
    let changes: [(String, () throws -> Void)] = [
      ("new.json", { try write("new.json") }), ("old.json", { try write("old.json", "{}") }),
      ("gone.json", { Descriptor.remove("\(folder)/gone.json") }),
    ]
    for (name, change) in changes {
      try change()
      let event = next(events) { $0.name == name }
      #expect(event.folder == number)
      #expect(!event.isLast)
    }
  }

  @Test(
    "a folder that is watched already keeps its number, and one that is not there has none",
    arguments: SystemCalls.all)
  func numbers(calls: SystemCalls) throws {
    let events = try FolderEvents(calls)
    let number = events.watch(folder, only: "one.json")
    #expect(number != nil)
    let again = events.watch(folder + "/.")
    #expect(again == number)
    let missing = events.watch("\(folder)/no-such-folder")
    #expect(missing == nil)
    try write("two.json")
    let event = next(events)
    #expect(event.name == "two.json")
  }

  @Test("a folder that is removed is no longer watched", arguments: SystemCalls.all)
  func removedFolder(calls: SystemCalls) throws {
    let events = try FolderEvents(calls)
    let number = events.watch(folder)
    try FileManager.default.removeItem(atPath: folder)
    let event = next(events) { $0.isLast }
    #expect(event.folder == number)
    let again = events.watch(folder)
    #expect(again == nil)
  }

  @Test("a scan looks only at the names that matter")
  func onlyName() throws {
    let events = try FolderEvents(.portable)
    _ = events.watch(folder, only: "one.json")
    try write("two.json")
    try write("one.json")
    let event = next(events)
    #expect(event.name == "one.json")
  }
}
