extension Case {
  /// The body as sent, after `malform` and before `encoding`.
  package var bodyBytes: [UInt8] {
    guard let response else { return [] }
    // Loading has complained about a malformation that cannot be applied.
    return (try? malformation?.bytes(damaging: response)) ?? response.bodyBytes
  }
}
