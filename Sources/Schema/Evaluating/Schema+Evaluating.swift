package import UnderstudyCore
package import UnderstudyJSON

extension Schema {
  /// The failures of an instance, at most `max`; none when it is valid.
  ///
  /// - Parameter now: what dates are compared with, instead of the time in the options.
  package func complaints(
    about instance: JSONValue, now: Moment? = nil, max: Int = 100
  ) -> [SchemaComplaint] {
    // Most instances are valid, and deciding that is several times cheaper than collecting
    // failures.
    var evaluation = Evaluation(of: instance, by: self, now: now, complaintsMax: 0)
    if evaluation.run(instance) { return [] }
    if evaluation.isHalted { return evaluation.complaints }
    evaluation = Evaluation(
      of: instance, by: self, now: now, complaintsMax: Swift.max(max, 1))
    _ = evaluation.run(instance)
    return evaluation.complaints
  }

  /// Whether an instance is valid; stops at the first failure.
  package func accepts(_ instance: JSONValue) -> Bool { accepts(instance, now: nil) }

  package func accepts(_ instance: JSONValue, now: Moment?) -> Bool {
    var evaluation = Evaluation(of: instance, by: self, now: now, complaintsMax: 0)
    return evaluation.run(instance)
  }
}
