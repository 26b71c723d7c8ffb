import Testing
import UnderstudyDrafting

@Suite struct UniqueNamesTests {
  @Test("numbers begin with 2, and skip names that are taken or not free")
  func numbers() {
    var names = UniqueNames(taken: ["upstream", "ok-3"])
    #expect(names.name("upstream") == "upstream-2")
    #expect(["ok", "ok", "ok", "ok-2"].map { names.name($0) } == ["ok", "ok-2", "ok-4", "ok-2-2"])
    #expect(names.name("no") { $0 != "no" && $0 != "no-2" } == "no-3")
    #expect(names.contains("no-3"))
    #expect(!names.contains("no"))
  }

  @Test("many names of one stem, or of stems that look like others with a number, take few steps")
  func steps() {
    var names = UniqueNames()
    for number in 0..<5_000 {
      _ = names.name("ok")
      _ = names.name("ok-\(number)")
    }
    #expect(names.stepCount <= 20_000)
  }
}
