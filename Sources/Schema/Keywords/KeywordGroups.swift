import UnderstudyCore
import UnderstudyJSON

/// The keywords of one schema, by the kind of value they apply to.
///
/// The folder has the compiled keywords, as values that `Compiling` makes and `Evaluating` reads.
/// `Keyword` lists all names that are known; `ObjectKeywords`, `ValueKeywords` and `TimeKeyword`
/// are the groups with files of their own. `Parts` names the groups that a schema uses, so that the
/// others cost nothing.
struct KeywordGroups: Sendable {
  let types: TypeKeyword
  let values: ValueKeywords
  let numbers: NumberKeywords
  let strings: StringKeywords
  let arrays: ArrayKeywords
  let objects: ObjectKeywords
  let combination: CombiningKeywords
  let unevaluatedItems: Int?
  let unevaluatedProperties: Int?

  /// Which groups a schema has keywords of. The keywords without effect on validity have none.
  struct Parts: OptionSet {
    let rawValue: UInt8

    static let types = Self(rawValue: 1)
    static let values = Self(rawValue: 1 << 1)
    static let numbers = Self(rawValue: 1 << 2)
    static let strings = Self(rawValue: 1 << 3)
    static let arrays = Self(rawValue: 1 << 4)
    static let objects = Self(rawValue: 1 << 5)
    static let combination = Self(rawValue: 1 << 6)
    static let unevaluated = Self(rawValue: 1 << 7)
  }
}

/// The kinds of value that `type` allows.
struct TypeKeyword: Sendable {
  /// Their names, in the schema's order.
  let names: [String]
  /// The kinds that always match; a whole number may also be written with a fraction of zeros.
  let kinds: JSONKinds
}

/// The keywords for numbers.
struct NumberKeywords: Sendable {
  let minimum: Bound?
  let exclusiveMinimum: Bound?
  let maximum: Bound?
  let exclusiveMaximum: Bound?
  let divisor: JSONNumber?
  let time: TimeKeyword?
  let isEmpty: Bool

  /// Integers that are surely valid, if no keyword but a minimum or a maximum is there.
  var surelyValid: ClosedRange<Int>? {
    guard exclusiveMinimum == nil, exclusiveMaximum == nil, divisor == nil, time == nil,
      minimum == nil || minimum?.int != nil, maximum == nil || maximum?.int != nil
    else { return nil }
    let (min, max) = (minimum?.int ?? .min, maximum?.int ?? .max)
    return min <= max ? min...max : nil
  }

  struct Bound: Sendable {
    let number: JSONNumber
    let int: Int?

    init(_ number: JSONNumber) {
      self.number = number
      int = number.int
    }
  }
}

/// The keywords for strings.
struct StringKeywords: Sendable {
  let lengthMin: Int?
  let lengthMax: Int?
  let pattern: Pattern?
  let format: Format?
  let date: DateCondition?
  let isEmpty: Bool

  /// How many bytes a string may have in the source for its length to fit whatever they are: a
  /// scalar takes one to twelve of them, a surrogate pair as two escapes being the longest.
  var surelyFittingBytes: ClosedRange<Int>? {
    let (twelvefold, isTooLarge) = (lengthMin ?? 0).multipliedReportingOverflow(by: 12)
    let (min, max) = (Swift.max(twelvefold - 11, 0), lengthMax ?? .max)
    return isTooLarge || min > max ? nil : min...max
  }

  /// Set when nothing else is checked.
  var soleFormat: Format? {
    pattern == nil && lengthMin == nil && lengthMax == nil && date == nil ? format : nil
  }

  var readsText: Bool { pattern != nil || format != nil || date != nil }
}

/// The keywords for arrays.
struct ArrayKeywords: Sendable {
  /// For the first elements, one each.
  let prefix: [Int]
  /// For the elements after those.
  let rest: Int?
  let contained: Int?
  let containedMin: Int
  let containedMax: Int?
  let countMin: Int?
  let countMax: Int?
  let areUnique: Bool
  let isEmpty: Bool
}

/// The keywords that apply further schemas to the same value.
struct CombiningKeywords: Sendable {
  let parts: [Part]

  enum Part: Sendable {
    /// `$ref`, `$dynamicRef` or one of `allOf`: must fit.
    case each(Reference, Keyword)
    case any([Int])
    case one([Int])
    case none(Int)
    case condition(Int, then: Int?, else: Int?)
  }

  /// All except the targets of `$dynamicRef`, which are not known in advance.
  var inPlace: [Int] {
    parts.flatMap { part -> [Int] in
      switch part {
      case .each(_, .dynamicRef): []
      case .each(let reference, _): [reference.target]
      case .any(let children), .one(let children): children
      case .none(let child): [child]
      case .condition(let condition, let consequence, let alternative):
        [condition] + [consequence, alternative].compactMap { $0 }
      }
    }
  }
}

/// A reference to a schema that is applied to the same value.
struct Reference: Sendable {
  let target: Int
  /// For a `$dynamicRef` that may lead elsewhere, the number of its name in `DynamicAnchors`.
  var dynamicName: Int?
}
