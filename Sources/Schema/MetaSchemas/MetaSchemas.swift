/// The meta-schemas of draft 2020-12, so that a `$ref` to them needs no network.
///
/// The texts are the official ones without their comments. The Swift that holds them is generated
/// from the JSON files in this folder.
enum MetaSchemas {
  /// The meta-schema with this URI; `nil` when it is not one of them.
  static func text(of uri: String) -> String? {
    let prefix = "https://json-schema.org/draft/2020-12/"
    guard uri.hasPrefix(prefix) else { return nil }
    return texts[String(uri.dropFirst(prefix.count))]
  }
}
