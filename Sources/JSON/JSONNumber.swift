/// A number kept as its exact text and compared by its exact value: `1.0` equals `1`, and nothing
/// overflows or is rounded. (Exponents of more than 18 digits all count as 10^18.)
package struct JSONNumber: Sendable {
  /// The number as written.
  package let text: String

  /// `nil` when the text is not a number by JSON's grammar.
  package init?(_ text: String) {
    guard JSONParser.isNumber(text) else { return nil }
    self.text = text
  }

  init(unchecked text: String) { self.text = text }

  var form: DecimalForm {
    let bytes = Array(text.utf8)
    return DecimalForm(of: bytes, bytes.indices)
  }

  /// Whether the value is whole: `1.0` is, and so is `1e2`.
  package var isInteger: Bool { form.isInteger }

  /// The value when it is exactly an `Int`.
  package var int: Int? {
    let bytes = Array(text.utf8)
    return NumberText.int(in: bytes, bytes.indices)
  }

  /// The nearest double, infinite when the number is too large for one.
  package var double: Double {
    let bytes = Array(text.utf8)
    return NumberText.double(in: bytes, bytes.indices)
  }

  /// Whether this is an exact multiple of `divisor`: 0.3 is a multiple of 0.1. Only zero is a
  /// multiple of zero.
  package func isMultiple(of divisor: JSONNumber) -> Bool {
    form.isMultiple(of: divisor.form)
  }
}

extension JSONNumber: Hashable, Comparable {
  package static func == (left: Self, right: Self) -> Bool {
    left.text == right.text || left.form == right.form
  }

  package static func < (left: Self, right: Self) -> Bool { left.form < right.form }

  package func hash(into hasher: inout Hasher) { hasher.combine(form) }
}

extension JSONNumber: CustomStringConvertible {
  package var description: String { text }
}
