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
    let text = try checked(
      bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...], limits)
    let origin = OriginalText(text.bytes)
    do throws(Complaint) {
      return try read(text, origin, limits, isSingle: isSingle)
    } catch {
      throw YAMLError(error, in: origin)
    }
  }

  private static func checked(
    _ bytes: ArraySlice<UInt8>, _ limits: YAMLLimits
  ) throws(YAMLError) -> YAMLText {
    do throws(Complaint) {
      return try YAMLText(bytes, limits: limits)
    } catch {
      throw YAMLError(error, in: OriginalText(Array(bytes)))
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

extension YAMLError {
  fileprivate init(_ complaint: Complaint, in text: OriginalText) {
    self.init(
      kind: complaint.kind, offset: complaint.offset,
      position: text.position(ofByte: complaint.offset), message: complaint.message,
      fix: complaint.fix)
  }
}
