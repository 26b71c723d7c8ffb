import Synchronization
package import UnderstudyJSON

/// Schemas by their texts: equal ones are compiled once, and share their programs.
///
/// Any thread may use it. A schema with warnings is compiled each time, since they name its place.
/// When it is full it forgets all: thousands of schemas that are all different gain nothing.
package final class SchemaCache: Sendable {
  private static let countMax = 512

  private let schemas = Mutex<[Text: Schema]>([:])

  package init() {}

  /// The schema at a value. All have the same options.
  fileprivate func schema(
    compiling value: JSONValue, options: Schema.Options
  ) throws(SchemaError) -> Schema {
    let text = Text(value)
    if let known = schemas.withLock({ $0[text] }) { return known.written(at: value) }
    let schema = try Schema(compiling: value, options: options)
    guard schema.warnings.isEmpty else { return schema }
    schemas.withLock { schemas in
      if schemas.count == Self.countMax { schemas.removeAll() }
      schemas[text] = schema
    }
    return schema
  }

  /// The text of a value, byte for byte, so that places in it are the same in all its copies.
  private struct Text: Hashable {
    let value: JSONValue

    init(_ value: JSONValue) { self.value = value }

    static func == (left: Self, right: Self) -> Bool { left.value.hasSameSource(as: right.value) }

    func hash(into hasher: inout Hasher) { value.hashSource(into: &hasher) }
  }
}

extension Schema {
  /// Shares the program of an equal schema, if there is a cache.
  package init(
    compiling value: JSONValue, options: Options, from cache: SchemaCache?
  ) throws(SchemaError) {
    self =
      if let cache {
        try cache.schema(compiling: value, options: options)
      } else {
        try Schema(compiling: value, options: options)
      }
  }
}
