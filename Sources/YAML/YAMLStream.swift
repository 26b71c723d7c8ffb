package import UnderstudyJSON

/// The documents of a YAML text.
package enum YAMLStream {
  /// All of them in order; none if there are only comments.
  package static func documents(
    of bytes: [UInt8], limits: YAMLLimits = YAMLLimits()
  ) throws(YAMLError) -> [JSONDocument] {
    try documents(of: bytes, limits: limits, isSingle: false)
  }

  static func documents(
    of bytes: [UInt8], limits: YAMLLimits, isSingle: Bool
  ) throws(YAMLError) -> [JSONDocument] {
    var origin = OriginalText(bytes)
    do throws(Complaint) {
      let text = try YAMLText(bytes, limits: limits)
      origin = OriginalText(text.bytes)
      return try read(text, origin, limits, isSingle: isSingle)
    } catch {
      throw YAMLError(
        kind: error.kind, offset: error.offset, position: origin.position(ofByte: error.offset),
        message: error.message, fix: error.fix)
    }
  }

  private static func read(
    _ text: YAMLText, _ origin: OriginalText, _ limits: YAMLLimits, isSingle: Bool
  ) throws(Complaint) -> [JSONDocument] {
    // SAFETY: the pointers are used only within the closures, and zeros follow the text.
    try text.bytes.withUnsafeBufferPointer { bytes throws(Complaint) in
      try ByteClass.table.withUnsafeBufferPointer { classes throws(Complaint) in
        guard let start = bytes.baseAddress, let classes = classes.baseAddress else { return [] }
        var reader = YAMLReader(
          start, count: text.count, classes: classes, origin: origin, limits: limits)
        return try reader.readDocuments(isSingle: isSingle)
      }
    }
  }
}
