import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// Reads a contract's `request`.
struct RequestReader {
  static let keys = ["method", "path", "also", "parameters", "body"]

  private static let names = JSONNames(keys)

  let complaints: Complaints

  /// `nil` when method or path are not usable.
  func read(_ value: JSONValue) -> RequestPattern? {
    guard let fields = Fields(value, of: "a request", keys: Self.names, complaints) else {
      return nil
    }
    let method = method(fields)
    let paths = paths(fields)
    let parameters =
      fields["parameters"].map { ConditionReader(complaints: complaints).read($0) } ?? []
    let body = fields["body"].flatMap { BodyConditionReader(complaints: complaints).read($0) }
    guard let method, !paths.isEmpty else { return nil }
    return RequestPattern(method: method, paths: paths, parameters: parameters, body: body)
  }

  /// - Parameter fallback: for fields without a method; `nil` where they must have one.
  func method(_ fields: Fields, default fallback: String? = nil) -> String? {
    if let fallback, !fields.has("method") { return fallback }
    guard let value = fields.require("method"), let method = fields.string("method") else {
      return nil
    }
    guard RequestPattern.methods.contains(method) else {
      complaints.add(
        .badValue, at: value,
        "found method \"\(method)\", expected one of \(RequestPattern.methods.joined(separator: ", "))",
        fix: RequestPattern.methods.contains(method.uppercased())
          ? "write it in capitals: \"\(method.uppercased())\""
          : Spelling.suggestion(for: method, among: RequestPattern.methods))
      return nil
    }
    return method
  }

  private func paths(_ fields: Fields) -> [PathTemplate] {
    guard let first = fields.require("path") else { return [] }
    let others = fields["also"].map { Array($0.elements) } ?? []
    if fields.has("also") { _ = fields.strings("also") }
    _ = fields.string("path")
    let values: [JSONValue] = [first] + others
    return values.compactMap { value -> PathTemplate? in
      guard let text = value.string else { return nil }
      do throws(Failure) {
        return try PathTemplate(parsing: text)
      } catch {
        complaints.add(.badPath, at: value, error.message, fix: error.fix)
        return nil
      }
    }
  }
}
