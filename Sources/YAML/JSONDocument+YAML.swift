package import UnderstudyCore
package import UnderstudyJSON

extension JSONDocument {
  /// The one document of a YAML text, read by the core schema of YAML 1.2.
  ///
  /// `bytes` of the document are the JSON that stands for it; positions are those in the YAML. Keys
  /// keep their text, whatever it would be as a value: `200:` is `"200"`.
  package init(yaml bytes: [UInt8], limits: YAMLLimits = YAMLLimits()) throws(YAMLError) {
    let documents = try YAMLStream.documents(of: bytes, limits: limits, isSingle: true)
    guard let document = documents.first else {
      throw YAMLError(
        kind: .empty, offset: 0, position: SourcePosition(line: 1, column: 1),
        message: "found \(bytes.isEmpty ? "an empty text" : "no value"), expected a document",
        fix: nil)
    }
    self = document
  }

  /// The YAML of a file; errors name the file and the position.
  package init(yaml bytes: [UInt8], file: String, fix: String?) throws(Failure) {
    do throws(YAMLError) {
      try self.init(yaml: bytes)
    } catch {
      throw Failure(
        at: Place(file, error.position), message: error.message.visible, fix: error.fix ?? fix)
    }
  }
}
