import UnderstudyCore
import UnderstudyJSON

/// A stub mapping as its file has it, and what was noted about it.
struct WireMockStub {
  /// Why a stub, or a part of it, has no place in a contract.
  struct Unusable: Error {
    /// Where, beneath the stub: `/request/bodyPatterns/0`.
    let pointer: String
    let reason: String

    init(_ pointer: String, _ reason: String) {
      self.pointer = pointer
      self.reason = reason
    }
  }

  /// The priority of stubs that name none.
  static let usualPriority = 5

  let value: JSONValue
  let document: ForeignDocument
  /// The place of the stub in its document: `/mappings/3`.
  let pointer: String
  /// The number of the stub in the order of reading; the newest wins.
  let number: Int

  var request: JSONValue? { value["request"] }
  var response: JSONValue? { value["response"] }
  var id: String? { (value["id"] ?? value["uuid"])?.string }
  var name: String? { value["name"]?.string }
  var priority: Int { value["priority"]?.wholeNumber ?? Self.usualPriority }
  var scenario: String? { value["scenarioName"]?.string }

  /// `GET /things`, for people.
  var title: String {
    let method = request?["method"]?.string ?? "ANY"
    let path = StubForm.urlKeys.lazy.compactMap { request?[$0]?.string }.first ?? "any URL"
    return name.map { "\(method) \(path) (\($0))" } ?? "\(method) \(path)"
  }

  func note(_ kind: ImportNote.Kind, _ place: String = "", because reason: String) -> ImportNote {
    let tokens = place.split(separator: "/").map {
      String($0).replacing("~1", with: "/").replacing("~0", with: "~")
    }
    let found = value.value(at: JSONPointer(tokens)) ?? value
    return ImportNote(
      kind, title, at: document.place(of: found), pointer + place, because: reason)
  }

  func note(_ problem: FormProblem) -> ImportNote {
    ImportNote(
      .leftOut, problem.isGrave ? title : "\(title): \(problem.pointer.visible)",
      at: Place(document.file, problem.position), pointer + problem.pointer,
      because: problem.reason)
  }

  /// All stubs of a document: one, those of `mappings`, or an array of them.
  static func all(
    in document: ForeignDocument, from number: Int
  ) throws(Failure) -> [WireMockStub] {
    let root = document.root
    let fix = "export it again, or name only folders and files of stub mappings"
    let list = root["mappings"] ?? (root.kind == .array ? root : nil)
    guard let list else {
      guard isStub(root) else {
        throw document.unexpected(
          root, at: "the document", expected: "a stub with a request and a response, or mappings",
          fix: fix)
      }
      return [WireMockStub(value: root, document: document, pointer: "", number: number)]
    }
    guard list.kind == .array else {
      throw document.unexpected(list, at: "mappings", expected: "an array of stubs", fix: fix)
    }
    let path = root.kind == .array ? "" : "/mappings"
    var stubs: [WireMockStub] = []
    for (index, value) in list.elements.enumerated() {
      guard value.kind == .object else {
        throw document.unexpected(value, at: "\(path)/\(index)", expected: "a stub", fix: fix)
      }
      stubs.append(
        WireMockStub(
          value: value, document: document, pointer: "\(path)/\(index)", number: number + index))
    }
    return stubs
  }

  /// Whether a document is of this format, checked by its content.
  static func isRecognised(in document: ForeignDocument) -> Bool {
    let root = document.root
    let list = root["mappings"] ?? root
    return isStub(list.kind == .array ? list[0] ?? root : root)
      || root["mappings"]?.kind == .array && root["mappings"]?.count == 0
  }

  private static func isStub(_ value: JSONValue) -> Bool {
    value["request"]?.kind == .object && !value.isContract
      && (value["response"]?.kind == .object || value["request"]?["method"] != nil
        || StubForm.urlKeys.contains { value["request"]?[$0] != nil })
  }
}
