/// Decodes `Decodable` values from JSON, without Foundation.
///
/// Its errors name the line, the column and the path of what is wrong, what was found there and
/// what was expected. In a consumer it also records which values a type reads.
///
/// Types decode as their own conformance says, so Foundation's `URL` expects an object here, as
/// from any decoder but Foundation's.
public struct JSONTreeDecoder: Sendable {
  private let recorder: ReadPaths?

  /// A decoder that records nothing.
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

  /// Paths in errors and in the recorder start at `value`.
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
