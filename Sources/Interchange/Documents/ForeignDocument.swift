package import UnderstudyCore
package import UnderstudyJSON
import UnderstudyYAML

/// A document of another tool, JSON or YAML, and the name of its file in messages.
///
/// The folder has what all formats share, and knows none of them. Read this file and
/// `ImportSource`, which has the documents of an import and reads the files that they name; then
/// `DocumentForm` and `FormCheck`, which find what a document says and an import would not read;
/// and `ImportNote`, which reports it. `ContractOrigin` is what an export writes for a later
/// import.
///
/// JSON and YAML become the same values, with the places they have in their own file. Of members
/// with one key only the last is in `root`, so that all formats read the same one; the others are
/// in `repeated`.
package struct ForeignDocument: Sendable {
  package let file: String
  package let root: JSONValue
  /// Members that it has again, of which the last counts: `root` has only those.
  package let repeated: [FormProblem]

  /// A byte order mark, which some tools write, is skipped.
  package init(reading bytes: [UInt8], file: String) throws(Failure) {
    self.file = file
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    let document =
      Self.isYAML(text, file: file)
      ? try JSONDocument(yaml: text, file: file, fix: nil)
      : try JSONDocument(
        parsing: text, file: file, fix: "export it again, completely, as JSON in UTF-8")
    let (read, dropped) = document.withoutDuplicateKeys()
    root = read.root
    repeated = FormProblem.repeated(dropped)
  }

  /// Whether it is YAML, by the file's name, or else by how the text begins.
  private static func isYAML(_ text: [UInt8], file: String) -> Bool {
    if file.hasSuffix(".yaml") || file.hasSuffix(".yml") { return true }
    let first = text.first { $0 > .space }
    return !file.hasSuffix(".json") && !file.hasSuffix(".har") && first != nil
      && first != .openBrace && first != .openBracket
  }

  init(root: JSONValue, file: String) {
    self.root = root
    self.file = file
    repeated = []
  }

  /// Fails for a contract, which needs no import.
  package func checkIsForeign() throws(Failure) {
    guard root.isContract else { return }
    throw Failure(
      at: Place(file), message: "found a contract of Understudy, expected a file of another tool",
      fix: "copy it to Contracts/<upstream>/, beside an upstream.json")
  }

  /// A note on a part that is left out, without which the rest means the same.
  func note(_ problem: FormProblem) -> ImportNote {
    ImportNote(
      .leftOut, problem.pointer.visible, at: Place(file, problem.position), problem.pointer,
      because: problem.reason)
  }

  package func place(of value: JSONValue) -> Place { Place(file, value.position) }

  /// A complaint about a value of the wrong type.
  package func unexpected(
    _ value: JSONValue?, at pointer: String, expected: String, fix: String?
  ) -> Failure {
    guard let value else {
      return Failure(
        at: Place(file), message: "no \(pointer), expected \(expected)", fix: fix)
    }
    return Failure(
      at: place(of: value),
      message: "found \(value.summary) for \(pointer), expected \(expected)", fix: fix)
  }
}

extension JSONValue {
  /// Whether it is a contract of ours, checked by its content.
  var isContract: Bool {
    self["cases"]?.kind == .object && self["request"] != nil && self["response"] == nil
  }
}
