import UnderstudyContractModel

extension RecordedGroup {
  /// Whether variables tell the requests for an operation apart, so that the text of the query need
  /// not be compared.
  ///
  /// - Parameter byDefault: the request whose case needs no condition.
  func hasTellingVariables(besides byDefault: Int?) -> Bool {
    guard operation != nil else { return false }
    let variables = requests.map(\.exchange.variables)
    for (index, own) in variables.enumerated() where index != byDefault {
      guard let own else { return false }
      for (other, more) in variables.enumerated() where other != index {
        // Whatever contains these variables meets a condition on them.
        guard let more, more.contains(own) else { continue }
        guard own.contains(more), requests[index].respondsAlike(requests[other]) else {
          return false
        }
      }
    }
    return true
  }
}
