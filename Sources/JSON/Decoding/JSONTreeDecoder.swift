/// Makes `Decodable` values from a document's tree.
///
/// Differs from Foundation's decoder in what a message says and in that it can record the paths a
/// type reads. `DecodingError` is what types see while they decode. Types decode as their own
/// conformance says, so Foundation's `URL` wants an object here, as from any decoder but its own.
public struct JSONTreeDecoder: Sendable {
  private let recorder: ReadPaths?

  public init() { recorder = nil }

  package init(recorder: ReadPaths?) { self.recorder = recorder }

  /// Decodes a whole JSON text (RFC 8259).
  public func decode<T: Decodable>(
    _ type: T.Type, from bytes: [UInt8]
  ) throws(JSONDecodingError) -> T {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(parsing: bytes)
    } catch {
      throw JSONDecodingError(error)
    }
    return try decode(type, from: document.root)
  }

  /// Paths, in errors and for the recorder, begin at `value`.
  package func decode<T: Decodable>(
    _ type: T.Type, from value: JSONValue
  ) throws(JSONDecodingError) -> T {
    let root = ValueDecoder(root: value, recorder: recorder)
    do {
      return try root.decode(type)
    } catch {
      throw JSONDecodingError(error, in: value)
    }
  }
}
