import Foundation
import Testing
import UnderstudyJSON

/// https://github.com/nst/JSONTestSuite, found by the environment variable
/// `UNDERSTUDY_CONFORMANCE`; without it these tests are skipped.
@Suite(.enabled(if: JSONTestSuite.folder != nil, "UNDERSTUDY_CONFORMANCE names no folder"))
struct JSONTestSuiteTests {
  @Test("accepts what must be accepted", arguments: JSONTestSuite.files("y_"))
  func accepted(name: String) throws {
    #expect(parsingError(try JSONTestSuite.bytes(name)) == nil)
  }

  @Test("rejects what must be rejected, with a message", arguments: JSONTestSuite.files("n_"))
  func rejected(name: String) throws {
    let error = try #require(parsingError(try JSONTestSuite.bytes(name)))
    #expect(error.message.hasPrefix("found ") && error.message.contains(", expected "))
  }

  @Test("decides what parsers may decide", arguments: JSONTestSuite.files("i_"))
  func decided(name: String) throws {
    let decision = try #require(Self.decisions[name])
    #expect(parsingError(try JSONTestSuite.bytes(name))?.kind == decision.kind)
  }

  @Test("every decision names an existing file")
  func complete() {
    #expect(Set(Self.decisions.keys) == Set(JSONTestSuite.files("i_")))
    #expect(JSONTestSuite.files("y_").count > 90 && JSONTestSuite.files("n_").count > 180)
  }

  /// `nil` accepts.
  typealias Decision = (kind: JSONError.Kind?, reason: String)

  private static let anyNumber: Decision = (
    nil, "The text of a number is kept and compared exactly, so no size is too much."
  )
  private static let loneSurrogate: Decision = (
    .loneSurrogate, "It stands for no character, so no string could hold it."
  )
  private static let invalidUTF8: Decision = (
    .invalidUTF8, "RFC 8259 allows nothing but UTF-8 between systems."
  )

  static let decisions: [String: Decision] = [
    "i_number_double_huge_neg_exp.json": anyNumber,
    "i_number_huge_exp.json": anyNumber,
    "i_number_neg_int_huge_exp.json": anyNumber,
    "i_number_pos_double_huge_exp.json": anyNumber,
    "i_number_real_neg_overflow.json": anyNumber,
    "i_number_real_pos_overflow.json": anyNumber,
    "i_number_real_underflow.json": anyNumber,
    "i_number_too_big_neg_int.json": anyNumber,
    "i_number_too_big_pos_int.json": anyNumber,
    "i_number_very_big_negative_int.json": anyNumber,
    "i_object_key_lone_2nd_surrogate.json": loneSurrogate,
    "i_string_1st_surrogate_but_2nd_missing.json": loneSurrogate,
    "i_string_1st_valid_surrogate_2nd_invalid.json": loneSurrogate,
    "i_string_UTF-16LE_with_BOM.json": invalidUTF8,
    "i_string_UTF-8_invalid_sequence.json": invalidUTF8,
    "i_string_UTF8_surrogate_U+D800.json": invalidUTF8,
    "i_string_incomplete_surrogate_and_escape_valid.json": loneSurrogate,
    "i_string_incomplete_surrogate_pair.json": loneSurrogate,
    "i_string_incomplete_surrogates_escape_valid.json": loneSurrogate,
    "i_string_invalid_lonely_surrogate.json": loneSurrogate,
    "i_string_invalid_surrogate.json": loneSurrogate,
    "i_string_invalid_utf-8.json": invalidUTF8,
    "i_string_inverted_surrogates_U+1D11E.json": loneSurrogate,
    "i_string_iso_latin_1.json": invalidUTF8,
    "i_string_lone_second_surrogate.json": loneSurrogate,
    "i_string_lone_utf8_continuation_byte.json": invalidUTF8,
    "i_string_not_in_unicode_range.json": invalidUTF8,
    "i_string_overlong_sequence_2_bytes.json": invalidUTF8,
    "i_string_overlong_sequence_6_bytes.json": invalidUTF8,
    "i_string_overlong_sequence_6_bytes_null.json": invalidUTF8,
    "i_string_truncated-utf-8.json": invalidUTF8,
    "i_string_utf16BE_no_BOM.json": invalidUTF8,
    "i_string_utf16LE_no_BOM.json": invalidUTF8,
    "i_structure_500_nested_arrays.json": (nil, "The limit is 512 unless another is asked for."),
    "i_structure_UTF-8_BOM_empty_object.json": (
      .byteOrderMark,
      "RFC 8259 forbids writing it; what passes here might fail in a stricter client."
    ),
  ]
}

enum JSONTestSuite {
  static let folder = ProcessInfo.processInfo.environment["UNDERSTUDY_CONFORMANCE"].map {
    URL(fileURLWithPath: $0).appendingPathComponent("JSONTestSuite")
  }

  static func files(_ prefix: String) -> [String] {
    guard let folder else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasPrefix(prefix) }.sorted()
  }

  static func bytes(_ name: String) throws -> [UInt8] {
    let folder = try #require(folder)
    let file = try FileHandle(forReadingFrom: folder.appendingPathComponent(name))
    return [UInt8](try file.readToEnd() ?? Data())
  }
}
