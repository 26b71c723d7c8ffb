import UnderstudyJSON
import UnderstudyYAML

/// The compact JSON of one document, or the complaint.
func translated(_ bytes: [UInt8], limits: YAMLLimits = YAMLLimits()) -> String {
  do throws(YAMLError) {
    let document = try JSONDocument(yaml: bytes, limits: limits)
    return String(decoding: document.root.compact, as: UTF8.self)
  } catch {
    return error.description
  }
}

func translated(_ text: String, limits: YAMLLimits = YAMLLimits()) -> String {
  translated(Array(text.utf8), limits: limits)
}

/// What reading fails with; `nil` when it does not.
func readingError(_ bytes: [UInt8], limits: YAMLLimits = YAMLLimits()) -> YAMLError? {
  do throws(YAMLError) {
    _ = try YAMLStream.documents(of: bytes, limits: limits)
    return nil
  } catch {
    return error
  }
}

func readingError(_ text: String, limits: YAMLLimits = YAMLLimits()) -> YAMLError? {
  readingError(Array(text.utf8), limits: limits)
}
