extension FixedWidthInteger {
  /// The whole part of a number, moved into the range of this type; 0 for what is not a number.
  package init(clamping value: Double) {
    let whole = value.rounded(.towardZero)
    self = Self(exactly: whole) ?? (whole.isNaN ? 0 : whole < 0 ? .min : .max)
  }
}

// The initializers of the standard library end the process if the number does not fit, and numbers
// come from files and requests. These hide them from the whole tree, so that a build warns of each
// use.
extension Int {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Double) { self.init(clamping: value) }
}

extension Int32 {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Double) { self.init(clamping: value) }
}

extension Int64 {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Double) { self.init(clamping: value) }
}

extension UInt64 {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Double) { self.init(clamping: value) }
}
