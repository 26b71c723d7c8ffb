import Testing
import UnderstudyJSON
import UnderstudyTestSupport

@Suite struct JSONChangeTests {
  @Test(
    "lists what differs, by pointer",
    arguments: [
      (#"{"a": 1}"#, #"{"a": 1.0}"#, []), (#"{"a": 1, "b": 2}"#, #"{"b": 2, "a": 1}"#, []),
      (#"{"a": 1}"#, #"{"a": "1"}"#, ["kindChanged /a: number 1 → string \"1\""]),
      (#"{"a": null}"#, #"{"a": 1}"#, ["kindChanged /a: null → number 1"]),
      (#"{"a": 1}"#, #"{"a": 2}"#, ["valueChanged /a: number 1 → number 2"]),
      ("true", "false", ["valueChanged : true → false"]),
      (
        #"{"gone": 1, "kept": [1, 2, 3], "a/b": {"x": 1}}"#,
        #"{"new": [], "a/b": {"x": 2, "y": 0}, "kept": [1, 5]}"#,
        [
          "removed /gone: number 1 → nothing", "valueChanged /kept/1: number 2 → number 5",
          "removed /kept/2: number 3 → nothing", "valueChanged /a~1b/x: number 1 → number 2",
          "added /a~1b/y: nothing → number 0", "added /new: nothing → array with 0 elements",
        ]
      ),
      ("[1]", "[1, [2]]", ["added /1: nothing → array with 1 element"]),
      (#"{"a": 1, "a": 2}"#, #"{"a": 2}"#, []),
    ] as [(String, String, [String])])
  func changes(old: String, new: String, expected: [String]) throws {
    let changes = try json(old).changes(to: json(new))
    let lines = changes.map {
      "\($0.kind) \($0.pointer): \($0.old?.summary ?? "nothing") → \($0.new?.summary ?? "nothing")"
    }
    #expect(lines == expected)
  }

  @Test("there are changes exactly when the values are not equal", arguments: 0..<20)
  func agreesWithEquality(seed: Int) throws {
    var text = RandomText(random: Dice(seed: UInt64(seed)), hasDuplicates: true)
    for _ in 0..<50 {
      let old = try json(text.value(depth: 2))
      let new = try json(text.value(depth: 2))
      #expect(old.changes(to: old).isEmpty)
      #expect(old.changes(to: new).isEmpty == old.isEqual(to: new))
    }
  }
}
