/// The general categories of scalars, and the groups of them, by ECMA-262's names.
enum GeneralCategory {
  /// All names, long and short, sorted.
  static let names = categoriesByName.keys.sorted()

  static func set(named name: String) -> ScalarSet? {
    guard let categories = categoriesByName[name] else { return nil }
    return cache.set(named: name) {
      ScalarSet(runs.filter { categories.contains($0.value) }.map(\.range))
    }
  }

  private static let cache = SetCache()

  /// All categories are computed in one pass through Unicode.
  private static let runs = UnicodeRuns.runs(of: \.generalCategory)

  private static let categoriesByName: [String: Set<Unicode.GeneralCategory>] = {
    var categoriesByName: [String: Set<Unicode.GeneralCategory>] = [:]
    for (names, category) in single {
      for name in names.split(separator: " ") { categoriesByName[String(name)] = [category] }
    }
    for (names, members) in groups {
      let categories = members.split(separator: " ").reduce(into: Set<Unicode.GeneralCategory>()) {
        $0.formUnion(categoriesByName[String($1)] ?? [])
      }
      for name in names.split(separator: " ") { categoriesByName[String(name)] = categories }
    }
    return categoriesByName
  }()

  private static let groups = [
    ("LC Cased_Letter", "Lu Ll Lt"), ("L Letter", "Lu Ll Lt Lm Lo"),
    ("M Mark Combining_Mark", "Mn Mc Me"), ("N Number", "Nd Nl No"),
    ("P Punctuation punct", "Pc Pd Ps Pe Pi Pf Po"), ("S Symbol", "Sm Sc Sk So"),
    ("Z Separator", "Zs Zl Zp"), ("C Other", "Cc Cf Cs Co Cn"),
  ]

  private static let single: [(names: String, category: Unicode.GeneralCategory)] = [
    ("Lu Uppercase_Letter", .uppercaseLetter), ("Ll Lowercase_Letter", .lowercaseLetter),
    ("Lt Titlecase_Letter", .titlecaseLetter), ("Lm Modifier_Letter", .modifierLetter),
    ("Lo Other_Letter", .otherLetter), ("Mn Nonspacing_Mark", .nonspacingMark),
    ("Mc Spacing_Mark", .spacingMark), ("Me Enclosing_Mark", .enclosingMark),
    ("Nd Decimal_Number digit", .decimalNumber), ("Nl Letter_Number", .letterNumber),
    ("No Other_Number", .otherNumber), ("Pc Connector_Punctuation", .connectorPunctuation),
    ("Pd Dash_Punctuation", .dashPunctuation), ("Ps Open_Punctuation", .openPunctuation),
    ("Pe Close_Punctuation", .closePunctuation), ("Pi Initial_Punctuation", .initialPunctuation),
    ("Pf Final_Punctuation", .finalPunctuation), ("Po Other_Punctuation", .otherPunctuation),
    ("Sm Math_Symbol", .mathSymbol), ("Sc Currency_Symbol", .currencySymbol),
    ("Sk Modifier_Symbol", .modifierSymbol), ("So Other_Symbol", .otherSymbol),
    ("Zs Space_Separator", .spaceSeparator), ("Zl Line_Separator", .lineSeparator),
    ("Zp Paragraph_Separator", .paragraphSeparator), ("Cc Control cntrl", .control),
    ("Cf Format", .format), ("Cs Surrogate", .surrogate), ("Co Private_Use", .privateUse),
    ("Cn Unassigned", .unassigned),
  ]
}
