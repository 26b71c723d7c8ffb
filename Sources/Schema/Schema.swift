import Synchronization
package import UnderstudyCore
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
    /// Against which `x-time` is held.
    package var now = Moment.now
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
  let program: SchemaProgram
  let options: Options
}

/// The steps that the validations of one run may take together, until it is over.
///
/// Any thread may use it; a run itself validates on one.
package final class StepAllowance: Sendable {
  private static let unlimited = Int.max

  package let stepsMax: Int
  private let left: Atomic<Int>

  package init(stepsMax: Int) {
    self.stepsMax = stepsMax
    left = Atomic(stepsMax)
  }

  package var isExhausted: Bool { stepsLeft <= 0 }

  /// Lets each validation from now on have its own steps again.
  package func lift() { left.store(Self.unlimited, ordering: .relaxed) }

  var stepsLeft: Int { left.load(ordering: .relaxed) }

  func spend(_ stepCount: Int) {
    guard stepsLeft != Self.unlimited else { return }
    left.wrappingSubtract(stepCount, ordering: .relaxed)
  }
}
