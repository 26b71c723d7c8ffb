import UnderstudyJSON

/// A frequency as a member of a finding: `"seen": [1, 2]`, in one of two responses.
extension Finding.Frequency {
  init?(_ value: JSONValue) {
    let numbers = value.elements.compactMap(\.int)
    guard numbers.count == 2 else { return nil }
    self.init(numbers[0], of: numbers[1])
  }

  func writeMember(to writer: inout JSONWriter) {
    writer.key("seen")
    writer.array { writer in
      writer.int(count)
      writer.int(total)
    }
  }
}
