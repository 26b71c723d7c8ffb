package import UnderstudyCore

/// Bytes checked to be one JSON text (RFC 8259), with their tape.
///
/// Strict where other parsers differ: only UTF-8 without a byte order mark, no escapes of lone
/// surrogates. Numbers of any size are accepted, since their text is kept.
///
/// The target reads, edits, compares and writes JSON without Foundation. Read this file, then
/// `JSONValue`, `JSONElements` and `JSONPointer`, which are the way through a document;
/// `JSONParser` and `Tape` are how it is made, and `JSONStorage` is what all its values share.
/// `JSONDiagnosis` looks for the reason after a failure. `JSONWriter` and `JSONText` write;
/// `JSONCursor`, `JSONName` and `NameTable` are the fast way through large bodies. `Decoding` has
/// the decoder, and `Editing` changes a text in place.
///
/// A document never changes. The parser has no recursion and a limit for depth, so no text can
/// exhaust the stack. Object keys are compared byte for byte, and members keep their order,
/// duplicates included.
package struct JSONDocument: Sendable {
  let storage: JSONStorage

  package init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
    storage = try JSONStorage(parsing: bytes, limits: limits)
  }

  package init(parsing text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) {
    storage = try JSONStorage(parsing: Array(text.utf8), limits: limits)
  }

  /// A text that was translated from another: its positions are those in the other text. They are
  /// not looked up for errors, whose offsets are those in the JSON text.
  package init(
    parsing bytes: [UInt8], limits: JSONLimits, translatedBy map: SourceMap
  ) throws(JSONError) {
    storage = try JSONStorage(parsing: bytes, limits: limits, map: map)
  }

  /// `nil` when the text is not valid, whatever the reason.
  package init?(valid bytes: [UInt8], limits: JSONLimits = JSONLimits()) {
    guard let storage = JSONStorage.parsed(bytes, limits: limits) else { return nil }
    self.storage = storage
  }

  init(storage: JSONStorage) { self.storage = storage }

  /// The source, byte for byte; of a translated text the JSON.
  package var bytes: [UInt8] { storage.source }

  /// Computed on demand: lines are not counted while parsing.
  package func position(ofByte offset: Int) -> SourcePosition {
    storage.position(ofByte: offset)
  }
}

extension JSONDocument {
  /// The JSON of a file; errors name the file and the position.
  package init(parsing bytes: [UInt8], file: String, fix: String?) throws(Failure) {
    do throws(JSONError) {
      try self.init(parsing: bytes)
    } catch {
      throw Failure(at: Place(file, error.position), message: error.message.visible, fix: fix)
    }
  }
}
