public import UnderstudyJSON

/// A value with a form in JSON: what contracts compare it with, and what `understudy call` prints.
public protocol JSONRepresentable {
  func write(to writer: inout JSONWriter)
}

extension JSONRepresentable {
  public func json(style: JSONWriter.Style = .compact) -> [UInt8] {
    var writer = JSONWriter(style: style)
    write(to: &writer)
    return writer.bytes
  }
}

extension Array: JSONRepresentable where Element: JSONRepresentable {
  public func write(to writer: inout JSONWriter) {
    writer.array { writer in
      for element in self { element.write(to: &writer) }
    }
  }
}
