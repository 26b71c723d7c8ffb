extension SecretMask {
  /// Masks the values of fields in `multipart/form-data` (RFC 7578) that have secret names, and
  /// secrets in other parts.
  ///
  /// The first line that can be a delimiter is treated as one, whatever the header says; the last
  /// part may be cut.
  func masked(multipart bytes: [UInt8], _ number: String) -> [UInt8] {
    var output: [UInt8] = []
    var delimiter: ArraySlice<UInt8>?
    var (fieldName, isHead) = ("", false)
    var content: [UInt8] = []
    var offset = 0
    while offset < bytes.count {
      let end = (bytes[offset...].firstIndex(of: 10) ?? bytes.count - 1) + 1
      let line = bytes[offset..<end].prefix { $0 != 13 && $0 != 10 }
      defer { offset = end }
      if delimiter == nil, line.count > 2, line.starts(with: "--".utf8) { delimiter = line }
      if let delimiter, line.starts(with: delimiter) {
        output += masked(content, of: fieldName, number) + bytes[offset..<end]
        (fieldName, isHead, content) = ("", true, [])
      } else if isHead {
        output += bytes[offset..<end]
        isHead = !line.isEmpty
        fieldName = Self.fieldName(line) ?? fieldName
      } else {
        content += bytes[offset..<end]
      }
    }
    return output + masked(content, of: fieldName, number)
  }

  private func masked(_ content: [UInt8], of fieldName: String, _ number: String) -> [UInt8] {
    // The line break at the end belongs to the delimiter.
    let lineEnd = content.suffix(2).filter { [10, 13].contains($0) }
    let value = content.dropLast(lineEnd.count)
    let rule = names.rule(of: Array(fieldName.utf8)[...], in: .parameter)
    guard rule?.hides(value) ?? false else { return scanned(content, number) ?? content }
    return Array(Self.mark.utf8) + lineEnd
  }

  /// `password` for `Content-Disposition: form-data; name="password"`.
  private static func fieldName(_ line: ArraySlice<UInt8>) -> String? {
    let parts = String(decoding: line, as: UTF8.self).split(separator: ";")
    guard let first = parts.first, first.lowercased().hasPrefix("content-disposition:") else {
      return nil
    }
    let values = parts.dropFirst().compactMap { part -> String? in
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2 else { return nil }
      switch pair[0].lowercased().filter({ $0 != " " }) {
      case "name": return pair[1].filter { $0 != "\"" }
      case "name*":
        // RFC 8187: `UTF-8''pass%77ord`.
        let text = pair[1].lastIndex(of: "'").map { pair[1][$0...].dropFirst() } ?? pair[1]
        return String(decoding: decoded(Array(text.utf8)[...]), as: UTF8.self)
      default: return nil
      }
    }
    return values.first
  }
}
