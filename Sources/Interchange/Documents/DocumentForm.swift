package import UnderstudyJSON

/// What the values of a document may be, as far as an import reads them.
package indirect enum DocumentForm: Sendable {
  /// Nobody reads it, or it is taken as it is.
  case unread
  case flag
  case text
  /// A string, a number or a boolean, of which the text is taken.
  case scalar
  /// A whole number, which may be written as a string.
  case whole(ClosedRange<Int>)
  case number
  case list(DocumentForm)
  case object(Members)
  /// The form depends on the value.
  case by(@Sendable (JSONValue) -> DocumentForm)
  /// Left to whoever asked for the check, since it may be elsewhere.
  case part(String)

  /// An object whose keys are names.
  static func named(_ form: DocumentForm) -> Self { .object(Members([:], others: .names(form))) }

  /// The members of an object: those that are read, and what becomes of all others.
  package struct Members: Sendable {
    /// What other keys are.
    enum Others: Sendable {
      /// Something that nobody reads.
      case lost
      /// Something without which the whole would mean something else.
      case grave
      /// Something to ignore, unless it resembles a key that is read.
      case misspelt
      case names(DocumentForm)
    }

    let forms: [String: DocumentForm]
    /// All known keys in a fixed order, for suggestions, which must not depend on chance.
    let keys: [String]
    let others: Others
    /// How the keys begin that are for other tools.
    let prefix: String?
    let required: [String]
    /// Keys that exclude each other, those that count first.
    let rivals: [[String]]
    /// Further keys that exclude each other; the one that the document has first counts.
    let equals: Set<String>

    init(
      _ forms: [String: DocumentForm], others: Others, prefix: String? = nil,
      required: [String] = [], rivals: [[String]] = [], equals: Set<String> = []
    ) {
      self.forms = forms
      keys = forms.keys.sorted()
      self.others = others
      self.prefix = prefix
      self.required = required
      self.rivals = rivals
      self.equals = equals
    }

    func adding(_ more: [String: DocumentForm]) -> Self {
      Self(
        forms.merging(more) { $1 }, others: others, prefix: prefix, required: required,
        rivals: rivals, equals: equals)
    }
  }
}
