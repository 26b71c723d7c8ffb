import Testing
import UnderstudyTestSupport

@testable import UnderstudyJSON

@Suite struct JSONDraftTests {
  private enum Change {
    case set(JSONPointer, JSONValue)
    case remove(JSONPointer)
  }

  /// What came of some changes: the text, or the error that ended them.
  private typealias Outcome = Result<[UInt8], JSONEditError>

  private func drafted(_ text: String, _ changes: [Change]) throws -> Outcome {
    var draft = JSONDraft(of: try json(text))
    do throws(JSONEditError) {
      for change in changes {
        switch change {
        case .set(let pointer, let value): try draft.set(pointer, to: value)
        case .remove(let pointer): try draft.remove(pointer)
        }
      }
      return .success(draft.bytes)
    } catch {
      return .failure(error)
    }
  }

  private func edited(_ text: String, _ changes: [Change]) throws -> Outcome {
    var document = try JSONDocument(parsing: text)
    do throws(JSONEditError) {
      for change in changes {
        switch change {
        case .set(let pointer, let value):
          let text = String(decoding: value.compact, as: UTF8.self)
          document = try document.setting(pointer, to: text)
        case .remove(let pointer): document = try document.removing(pointer)
        }
      }
      return .success(document.root.compact)
    } catch {
      return .failure(error)
    }
  }

  @Test("changes mean what the same edits do, made one after the other", arguments: 0..<40)
  func sameAsEdits(seed: Int) throws {
    var text = RandomText(random: Dice(seed: UInt64(seed)), hasDuplicates: true)
    let source = text.value()
    let pool = try (0..<4).map { _ in try json(text.value(depth: 2)) } + [json(source)]
    var pointers = pool.flatMap { Self.pointers(in: $0) }
    var changes: [Change] = []
    for _ in 0..<25 {
      let pointer = text.random.pick(pointers)
      let place = text.random.pick([pointer, pointer.appending(0), pointer.appending("new")])
      let change =
        text.random.below(3) == 0
        ? Change.remove(place) : .set(place, text.random.pick(pool))
      let outcome = try drafted(source, changes + [change])
      #expect(try outcome == edited(source, changes + [change]))
      if case .success(let bytes) = outcome {
        changes.append(change)
        pointers += Self.pointers(in: try JSONDocument(parsing: bytes).root)
      }
    }
  }

  private static func pointers(in value: JSONValue) -> [JSONPointer] {
    let below =
      value.elements.flatMap { pointers(in: $0) } + value.members.flatMap { pointers(in: $0.value) }
    return [value.pointer] + below
  }

  @Test("elements close up when one is removed")
  func closesUp() throws {
    var draft = JSONDraft(of: try json("[0, 1, 2, 3, 4, 5, 6]"))
    for pointer in ["/1", "/1", "/4", "/0", "/1"] {
      try draft.remove(#require(JSONPointer(parsing: pointer)))
    }
    #expect(String(decoding: draft.bytes, as: UTF8.self) == "[3,5]")
  }

  @Test("finds the place of every rank while places are removed", arguments: 0..<20)
  func ranks(count: Int) {
    var random = Dice(seed: UInt64(count))
    var ranks = Ranks(count: count)
    var left = Array(0..<count)
    while true {
      #expect((0..<left.count).map { ranks.place(of: $0) } == left)
      #expect(ranks.place(of: left.count) == nil && ranks.place(of: -1) == nil)
      guard !left.isEmpty else { break }
      ranks.remove(left.remove(at: random.below(left.count)))
    }
    #expect(ranks.count == 0)
  }

  @Test("refuses to go deeper than the document may")
  func depth() throws {
    var limits = JSONLimits()
    limits.depthMax = 3
    var draft = JSONDraft(of: try JSONDocument(parsing: "[[0]]", limits: limits).root)
    try draft.set(["0", "0"], to: json("[]"))
    let error = #expect(throws: JSONEditError.self) {
      try draft.set(["0", "0"], to: json("{\"a\": [1, [2]]}"))
    }
    #expect(error?.description == "cannot edit /0/0: found 5 levels, expected at most 3")
    #expect(String(decoding: draft.bytes, as: UTF8.self) == "[[[]]]")
  }
}
