package import UnderstudyJSON

/// A picture as it came, not looked into.
package struct Picture: Hashable, Sendable {
  /// As the server says: `image/jpeg`.
  package let contentType: String
  package let bytes: [UInt8]

  package init(contentType: String, bytes: [UInt8]) {
    self.contentType = contentType
    self.bytes = bytes
  }
}

extension Picture: JSONRepresentable {
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("contentType", contentType)
      writer.member("bytes", bytes.count)
    }
  }
}
