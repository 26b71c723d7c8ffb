package import UnderstudyCore
import UnderstudyJSON

/// The formats of other tools.
///
/// The target reads and writes the formats of other tools. Read `Documents`, which has what all
/// formats share; `Plans`, which turns contracts into changes to files; this file; then the format
/// in question: `HAR`, `OpenAPI` or `WireMock`. `Patterns` translates Java's regular expressions.
/// `Documented` makes no contracts: it is how `drift --against` reads an OpenAPI document.
///
/// No plan changes anything until `ImportPlan.write`. Whatever in a document does not become part
/// of a contract is an `ImportNote` with its place and reason. Importing what an export has written
/// gives back the contracts it was made from, as long as nobody has changed it.
package enum ImportFormat: String, CaseIterable, Sendable {
  case har, wiremock, openapi

  /// The format of a document, checked by its content.
  package init?(of document: ForeignDocument) {
    if HARLog.isRecognised(in: document) {
      self = .har
    } else if WireMockStub.isRecognised(in: document) {
      self = .wiremock
    } else if OpenAPIDescription.isRecognised(in: document) {
      self = .openapi
    } else {
      return nil
    }
  }

  /// Makes a plan from the documents of one format, without changing anything.
  ///
  /// - Parameter format: checked by content where it is `nil`.
  package static func plan(
    _ source: ImportSource, as format: ImportFormat?, _ options: ImportOptions
  ) throws(Failure) -> ImportPlan {
    for document in source.documents { try document.checkIsForeign() }
    let found: ImportFormat
    if let format { found = format } else { found = try checked(source.documents) }
    var plan =
      switch found {
      case .har: try HARImport.plan(source.documents, options)
      case .wiremock: try WireMockPlan.plan(source, options)
      case .openapi: try OpenAPIImport.plan(source, options)
      }
    plan.notes =
      source.notes + source.documents.flatMap { $0.repeated.map($0.note) } + plan.notes
    return plan
  }

  private static func checked(_ documents: [ForeignDocument]) throws(Failure) -> ImportFormat {
    var found: ImportFormat?
    for document in documents {
      guard let format = ImportFormat(of: document) else {
        let other = OtherFormat.allCases.first { $0.isOf(document.root) }
        throw Failure(
          at: Place(document.file),
          message:
            "found a \(other?.rawValue ?? "document of an unknown format"), expected log.entries of"
            + " a HAR, stub mappings of WireMock, or OpenAPI",
          fix: other?.fix
            ?? "name the format to see what is wrong: understudy import har \(document.file)")
      }
      guard found == nil || found == format else {
        throw Failure(
          at: Place(document.file),
          message: "this document is \(format.rawValue), another is \(found?.rawValue ?? "")",
          fix: "import them one format at a time")
      }
      found = format
    }
    return found ?? .har
  }
}

/// Formats that people try, none of which is read.
private enum OtherFormat: String, CaseIterable {
  case pact = "Pact file"
  case mockoon = "Mockoon file"
  case postman = "Postman collection"

  func isOf(_ root: JSONValue) -> Bool {
    switch self {
    case .pact: root["provider"] != nil && (root["interactions"] ?? root["messages"]) != nil
    case .mockoon: root["routes"] != nil && root["endpointPrefix"] != nil
    case .postman: root["info"]?["_postman_id"] != nil || root["info"] != nil && root["item"] != nil
    }
  }

  /// What leads to a format that is read.
  var fix: String {
    switch self {
    case .pact:
      "run the tests that wrote it against: understudy serve --record --upstream NAME=URL"
    case .mockoon: "export it as OpenAPI and import that"
    case .postman: "send its requests through: understudy serve --record --upstream NAME=URL"
    }
  }
}
