import Testing
import UnderstudyCore

@Suite struct SpellingTests {
  @Test("takes a text of a hundred thousand letters for no misspelling, and does so at once")
  func long() {
    let text = String(repeating: "a", count: 100_000)
    #expect(Spelling.nearest(to: text + "b", among: [text + "c"]) == nil)
    #expect(Spelling.nearest(to: "status", among: [text, "state"]) == "state")
  }

  @Test(
    "offers the word that was probably meant",
    arguments: [
      ("satus", "status"), ("status", "status"), ("hedaers", "headers"), ("bdy", "body"),
    ])
  func near(typed: String, meant: String) {
    #expect(Spelling.nearest(to: typed, among: ["status", "headers", "body", "text"]) == meant)
  }

  @Test("offers the one word that begins with what was typed, or that it begins with")
  func beginning() {
    let faults = ["CONNECTION_RESET_BY_PEER", "EMPTY_RESPONSE", "MALFORMED_HEADER"]
    #expect(Spelling.nearest(to: "CONNECTION_RESET", among: faults) == faults[0])
    #expect(Spelling.nearest(to: "okay", among: ["not-found", "ok"]) == "ok")
    #expect(
      Spelling.nearest(to: "malformed", among: ["malformed-a", "malformed-b1"]) == "malformed-a")
    #expect(Spelling.nearest(to: "page", among: ["page-number", "page-together"]) == nil)
  }

  @Test(
    "offers a name by what follows its slash",
    arguments: [
      ("users", "shop/users"), ("usres", "shop/users"), ("shop", "shop"), ("sho", "shop"),
      ("one", nil),
    ])
  func afterSlash(typed: String, meant: String?) {
    let known = ["user", "shop", "shop/users", "shop/items"]
    #expect(Spelling.nearest(to: typed, among: known) == meant)
  }

  @Test("offers nothing when nothing is near", arguments: ["", "x", "completely-different"])
  func far(typed: String) {
    #expect(Spelling.nearest(to: typed, among: ["status", "headers", "body"]) == nil)
  }

  @Test("of two equally near words the first wins")
  func tie() {
    #expect(Spelling.nearest(to: "cat", among: ["cut", "cap"]) == "cut")
  }
}

@Suite struct TextDiffTests {
  @Test("is empty for equal texts")
  func equal() {
    #expect(TextDiff.unified("a\nb\n", "a\nb\n").isEmpty)
  }

  @Test("shows a change with three lines around it")
  func context() {
    let old = (1...9).map(String.init).joined(separator: "\n") + "\n"
    let new = old.split(separator: "\n").map { $0 == "5" ? "five" : $0 }.joined(separator: "\n")
    #expect(
      TextDiff.unified(old, new, oldName: "a", newName: "b") == """
        --- a
        +++ b
        @@ -2,7 +2,7 @@
         2
         3
         4
        -5
        +five
         6
         7
         8

        """)
  }

  @Test("names the line before an empty range, as diff -u does")
  func insertion() {
    #expect(
      TextDiff.unified("", "x\n", oldName: "a", newName: "b") == """
        --- a
        +++ b
        @@ -0,0 +1 @@
        +x

        """)
  }

  @Test("keeps changes far apart in hunks of their own")
  func hunks() {
    let old = (1...20).map { "\($0)\n" }.joined()
    let new = old.replacing("2\n3\n", with: "3\n").replacing("19\n", with: "nineteen\n")
    let headers = TextDiff.unified(old, new).split(separator: "\n").filter { $0.hasPrefix("@@") }
    #expect(headers == ["@@ -1,5 +1,4 @@", "@@ -16,5 +15,5 @@"])
  }
}
