/// Members in one call. A value may be missing, which `null` says: a key is there in every object.
extension JSONWriter {
  package mutating func member(_ key: String, _ value: String?) {
    self.key(key)
    if let value { string(value) } else { null() }
  }

  package mutating func member(_ key: String, _ value: Int?) {
    self.key(key)
    if let value { int(value) } else { null() }
  }

  package mutating func member(_ key: String, _ values: [String]) {
    self.key(key)
    array { array in
      for value in values { array.string(value) }
    }
  }
}
