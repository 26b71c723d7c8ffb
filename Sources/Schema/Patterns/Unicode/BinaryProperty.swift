/// The binary properties of scalars, by ECMA-262's names.
enum BinaryProperty {
  /// All names, long and short, sorted.
  static let names = (tests.keys + Array(fixed.keys) + longNames.keys).sorted()

  private static let cache = SetCache()

  static func set(named name: String) -> ScalarSet? {
    let name = longNames[name] ?? name
    if let set = fixed[name] { return set }
    guard let test = tests[name] else { return nil }
    return cache.set(named: name) {
      ScalarSet(UnicodeRuns.runs(of: test).filter(\.value).map(\.range))
    }
  }

  static let fixed = [
    "ASCII": ScalarSet.ascii,
    "Any": ScalarSet.any,
    "Emoji_Component": ScalarSet([
      0x23...0x23, 0x2A...0x2A, 0x30...0x39, 0x200D...0x200D, 0x20E3...0x20E3, 0xFE0F...0xFE0F,
      0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF, 0x1F9B0...0x1F9B3, 0xE0020...0xE007F,
    ]),
    "Regional_Indicator": ScalarSet([0x1F1E6...0x1F1FF]),
  ]

  static let longNames = [
    "AHex": "ASCII_Hex_Digit", "Alpha": "Alphabetic", "Bidi_C": "Bidi_Control",
    "Bidi_M": "Bidi_Mirrored", "CI": "Case_Ignorable", "CWCF": "Changes_When_Casefolded",
    "CWCM": "Changes_When_Casemapped", "CWKCF": "Changes_When_NFKC_Casefolded",
    "CWL": "Changes_When_Lowercased", "CWT": "Changes_When_Titlecased",
    "CWU": "Changes_When_Uppercased", "DI": "Default_Ignorable_Code_Point", "Dep": "Deprecated",
    "Dia": "Diacritic", "EBase": "Emoji_Modifier_Base", "EComp": "Emoji_Component",
    "EMod": "Emoji_Modifier", "EPres": "Emoji_Presentation", "Ext": "Extender",
    "Gr_Base": "Grapheme_Base", "Gr_Ext": "Grapheme_Extend", "Hex": "Hex_Digit",
    "IDC": "ID_Continue", "IDS": "ID_Start", "IDSB": "IDS_Binary_Operator",
    "IDST": "IDS_Trinary_Operator", "Ideo": "Ideographic", "Join_C": "Join_Control",
    "LOE": "Logical_Order_Exception", "Lower": "Lowercase", "NChar": "Noncharacter_Code_Point",
    "Pat_Syn": "Pattern_Syntax", "Pat_WS": "Pattern_White_Space", "QMark": "Quotation_Mark",
    "RI": "Regional_Indicator", "SD": "Soft_Dotted", "STerm": "Sentence_Terminal",
    "Term": "Terminal_Punctuation", "UIdeo": "Unified_Ideograph", "Upper": "Uppercase",
    "VS": "Variation_Selector", "XIDC": "XID_Continue", "XIDS": "XID_Start",
    "space": "White_Space",
  ]

  typealias Test = @Sendable (Unicode.Scalar.Properties) -> Bool

  static let tests: [String: Test] = [
    "ASCII_Hex_Digit": { $0.isASCIIHexDigit },
    "Alphabetic": { $0.isAlphabetic },
    "Assigned": { $0.generalCategory != .unassigned },
    "Bidi_Control": { $0.isBidiControl },
    "Bidi_Mirrored": { $0.isBidiMirrored },
    "Case_Ignorable": { $0.isCaseIgnorable },
    "Cased": { $0.isCased },
    "Changes_When_Casefolded": { $0.changesWhenCaseFolded },
    "Changes_When_Casemapped": { $0.changesWhenCaseMapped },
    "Changes_When_Lowercased": { $0.changesWhenLowercased },
    "Changes_When_NFKC_Casefolded": { $0.changesWhenNFKCCaseFolded },
    "Changes_When_Titlecased": { $0.changesWhenTitlecased },
    "Changes_When_Uppercased": { $0.changesWhenUppercased },
    "Dash": { $0.isDash },
    "Default_Ignorable_Code_Point": { $0.isDefaultIgnorableCodePoint },
    "Deprecated": { $0.isDeprecated },
    "Diacritic": { $0.isDiacritic },
    "Emoji": { $0.isEmoji },
    "Emoji_Modifier": { $0.isEmojiModifier },
    "Emoji_Modifier_Base": { $0.isEmojiModifierBase },
    "Emoji_Presentation": { $0.isEmojiPresentation },
    "Extender": { $0.isExtender },
    "Grapheme_Base": { $0.isGraphemeBase },
    "Grapheme_Extend": { $0.isGraphemeExtend },
    "Hex_Digit": { $0.isHexDigit },
    "IDS_Binary_Operator": { $0.isIDSBinaryOperator },
    "IDS_Trinary_Operator": { $0.isIDSTrinaryOperator },
    "ID_Continue": { $0.isIDContinue },
    "ID_Start": { $0.isIDStart },
    "Ideographic": { $0.isIdeographic },
    "Join_Control": { $0.isJoinControl },
    "Logical_Order_Exception": { $0.isLogicalOrderException },
    "Lowercase": { $0.isLowercase },
    "Math": { $0.isMath },
    "Noncharacter_Code_Point": { $0.isNoncharacterCodePoint },
    "Pattern_Syntax": { $0.isPatternSyntax },
    "Pattern_White_Space": { $0.isPatternWhitespace },
    "Quotation_Mark": { $0.isQuotationMark },
    "Radical": { $0.isRadical },
    "Sentence_Terminal": { $0.isSentenceTerminal },
    "Soft_Dotted": { $0.isSoftDotted },
    "Terminal_Punctuation": { $0.isTerminalPunctuation },
    "Unified_Ideograph": { $0.isUnifiedIdeograph },
    "Uppercase": { $0.isUppercase },
    "Variation_Selector": { $0.isVariationSelector },
    "White_Space": { $0.isWhitespace },
    "XID_Continue": { $0.isXIDContinue },
    "XID_Start": { $0.isXIDStart },
  ]
}
