public import UnderstudyJSON

/// A picture as it came, not looked into.
public struct Picture: Hashable, Sendable {
  /// As the server says: `image/jpeg`.
  public let contentType: String
  public let bytes: [UInt8]

  public init(contentType: String, bytes: [UInt8]) {
    self.contentType = contentType
    self.bytes = bytes
  }
}

extension Picture: JSONRepresentable {
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("contentType", contentType)
      writer.member("bytes", bytes.count)
    }
  }
}
