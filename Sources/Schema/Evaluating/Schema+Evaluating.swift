package import UnderstudyCore
package import UnderstudyJSON

extension Schema {
  /// What the schema has against an instance, at most `max` complaints; none when it is valid.
  ///
  /// - Parameter now: what dates are held against instead of the moment in the options.
  package func complaints(
    about instance: JSONValue, now: Moment? = nil, max: Int = 100
  ) -> [SchemaComplaint] {
    // Most instances are valid, and finding that out is several times cheaper than complaining.
    var evaluation = Evaluation(of: instance, by: self, now: now, complaintsMax: 0)
    if evaluation.run(instance) { return [] }
    if evaluation.isHalted { return evaluation.complaints }
    evaluation = Evaluation(
      of: instance, by: self, now: now, complaintsMax: Swift.max(max, 1))
    _ = evaluation.run(instance)
    return evaluation.complaints
  }

  /// Whether an instance is valid; stops at the first thing that is wrong.
  package func accepts(_ instance: JSONValue) -> Bool {
    var evaluation = Evaluation(of: instance, by: self, now: nil, complaintsMax: 0)
    return evaluation.run(instance)
  }
}
