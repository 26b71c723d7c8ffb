package import UnderstudyJSON
import UnderstudySystem

/// Finds the schema document of a URI without a fragment; asked once a URI, while compiling.
package typealias SchemaResolver = (_ uri: String) -> JSONValue?

/// A schema of JSON Schema draft 2020-12, compiled: references resolved, patterns ready.
///
/// Immutable; a reference inside, cheap to copy. Of members with the same name each is held against
/// the schema, since parsers differ in which they take.
package struct Schema: Sendable {
  package struct Options: Sendable {
    /// Whether `format` is held against strings; the draft's own default is to ignore it.
    package var assertFormats = true
    /// Seconds since 1970, against which `x-time` is held.
    package var now: Int = SystemClock.unixSeconds
    /// How often a schema, a pattern or a dependency may be applied to a value in one validation,
    /// the steps of the patterns themselves included, so that none can hang: a few seconds.
    package var stepsMax = 50_000_000
    /// What this schema's validations share with those of others, so that all together take no more
    /// steps than one may.
    package var allowance: StepAllowance?

    package init() {}
  }

  /// What has no effect or is from an older draft, in the order of the text.
  package let warnings: [SchemaProblem]
  private let program: SchemaProgram

  package init(
    compiling value: JSONValue, options: Options = Options(), resolver: SchemaResolver? = nil
  ) throws(SchemaError) {
    let compiler = SchemaCompiler(options: options, resolver: resolver)
    program = try compiler.compile(value)
    warnings = compiler.warnings
  }

  /// What the schema has against an instance, at most `max` complaints; none when it is valid.
  ///
  /// - Parameter now: what dates are held against instead of the moment in the options.
  package func complaints(
    about instance: JSONValue, now: Int? = nil, max: Int = 100
  ) -> [SchemaComplaint] {
    // Most instances are valid, and finding that out is several times cheaper than complaining.
    var evaluation = Evaluation(of: instance, by: program, now: now, complaintsMax: 0)
    if evaluation.run(instance) { return [] }
    if evaluation.isHalted { return evaluation.complaints }
    evaluation = Evaluation(
      of: instance, by: program, now: now, complaintsMax: Swift.max(max, 1))
    _ = evaluation.run(instance)
    return evaluation.complaints
  }

  /// Whether an instance is valid; stops at the first thing that is wrong.
  package func accepts(_ instance: JSONValue) -> Bool {
    var evaluation = Evaluation(of: instance, by: program, now: nil, complaintsMax: 0)
    return evaluation.run(instance)
  }
}
