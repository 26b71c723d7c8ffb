/// Makes `Decodable` values from a document's tree.
///
/// Differs from Foundation's decoder in what a message says and in that it can record the paths a
/// type reads. `DecodingError` is what types see while they decode. Types decode as their own
/// conformance says, so Foundation's `URL` wants an object here, as from any decoder but its own.
package struct JSONTreeDecoder: Sendable {
  private let recorder: ReadPaths?

  package init(recorder: ReadPaths? = nil) { self.recorder = recorder }

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
