import Synchronization
package import UnderstudyCore
package import UnderstudyJSON
import UnderstudySystem

/// Finds the schema document for a URI without a fragment; called once per URI, while compiling.
package typealias SchemaResolver = (_ uri: String) -> JSONValue?

/// A compiled schema of JSON Schema draft 2020-12: references resolved, patterns ready.
///
/// Immutable, and cheap to copy: it holds a reference. Of members with the same name each is
/// checked, since parsers differ in which one they use.
///
/// The target validates JSON by draft 2020-12 and says where and why a value fails. Read this file,
/// then `SchemaProgram`, the compiled form; `Compiling` makes it, `Evaluating` runs it, `Keywords`
/// has what a schema may say, and `Formats` and `Patterns` are about texts. `Examples` makes values
/// that a schema allows, and `SchemaView` looks at a schema without a value. `SchemaError` has all
/// that can be reported.
///
/// Compiling needs no network: a resolver finds other documents. A validation has a limit of steps,
/// which a `StepAllowance` shares among many, and a limit of depth, so that no schema can make it
/// hang or exhaust the stack.
package struct Schema: Sendable {
  /// What callers decide about a schema: checks, time, limits, and what it shares with others.
  package struct Options: Sendable {
    /// Whether `format` is checked; the draft's default is to ignore it.
    package var assertFormats = true
    /// The time that `x-time` and `x-date` compare with.
    package var now: Moment
    /// How often a schema, a pattern or a dependency may be applied to a value in one validation,
    /// including the steps of the patterns, so that none can hang: a few seconds.
    package var stepsMax = 50_000_000
    /// Shared with other schemas, so that their validations together take no more steps than one
    /// may.
    package var allowance: StepAllowance?
    /// Shared with other schemas.
    package var patterns: PatternCache?

    package init(now: Moment = .now) { self.now = now }
  }

  /// Keywords without effect or from an older draft, in source order.
  package let warnings: [SchemaProblem]
  let program: SchemaProgram
  let options: Options
  /// Where it is written: its program may come from an equal text.
  let source: JSONValue

  /// This schema, written at another place with the same text.
  func written(at value: JSONValue) -> Schema {
    Schema(warnings: warnings, program: program, options: options, source: value)
  }
}

/// The steps that the validations of one run may take together, until it ends.
///
/// Any thread may use it; a run itself validates on one.
package final class StepAllowance: Sendable {
  private static let unlimited = Int.max

  package let stepsMax: Int
  private let left: Atomic<Int>
  private let parent: StepAllowance?

  /// - Parameter parent: whose steps these are, too.
  package init(stepsMax: Int, within parent: StepAllowance? = nil) {
    self.stepsMax = stepsMax
    self.parent = parent
    left = Atomic(stepsMax)
  }

  package var isExhausted: Bool { stepsLeft <= 0 }

  /// Whether each validation has its own steps.
  var isLifted: Bool { left.load(ordering: .relaxed) == Self.unlimited }

  /// From now on, each validation has its own steps again.
  package func lift() { left.store(Self.unlimited, ordering: .relaxed) }

  var stepsLeft: Int { min(left.load(ordering: .relaxed), parent?.stepsLeft ?? .max) }

  func spend(_ stepCount: Int) {
    parent?.spend(stepCount)
    guard !isLifted else { return }
    left.wrappingSubtract(stepCount, ordering: .relaxed)
  }

  /// More steps, since there is more to validate.
  package func add(_ stepCount: Int) { spend(-stepCount) }
}
