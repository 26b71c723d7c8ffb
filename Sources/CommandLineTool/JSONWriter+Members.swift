import JSON

/// Members whose value may be missing, which `null` says: a key is there in every object.
extension JSONWriter {
  mutating func member(_ key: String, _ value: String?) {
    self.key(key)
    if let value { string(value) } else { null() }
  }

  mutating func member(_ key: String, _ value: Int?) {
    self.key(key)
    if let value { int(value) } else { null() }
  }
}
