package import UnderstudyJSON

/// An identity as members of a JSON object.
extension Check.Identity {
  package init?(_ object: JSONValue) {
    guard let contract = object["contract"]?.string, let caseName = object["case"]?.string else {
      return nil
    }
    self.init(contract, caseName, consumer: object["consumer"]?.string)
  }

  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("contract", contract)
    writer.member("case", caseName)
    writer.member("consumer", consumer)
  }
}
