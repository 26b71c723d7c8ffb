import UnderstudyCore
import UnderstudyFindings
package import UnderstudyJSON

extension RequestPattern {
  /// Reads a contract's `request` from any source; `origin` is the file name in complaints.
  package convenience init(reading value: JSONValue, origin: String) throws(ContractError) {
    let complaints = Complaints(file: origin)
    let pattern = RequestReader(complaints: complaints).read(value)
    // A secret does not belong in a file, but a query about requests may contain one.
    let findings = complaints.findings.filter { $0.type != .secret }
    guard let pattern, findings.isEmpty else {
      throw ContractError(findings: findings.byPlace)
    }
    self.init(
      method: pattern.method, paths: pattern.paths, parameters: pattern.parameters,
      body: pattern.body)
  }

  /// Whether a request matches one of the pattern's paths and its conditions.
  package func matches(_ request: RequestParts) -> Bool {
    request.method == method
      && paths.contains { request.fits($0) && request.meets(self, in: $0) }
  }
}

extension RequestParts {
  private static func fits(_ segment: String, _ template: PathTemplate.Segment) -> Bool {
    switch template {
    case .literal(let text): segment == text
    case .parameter: !segment.isEmpty
    }
  }

  fileprivate func fits(_ template: PathTemplate) -> Bool {
    (template.tail == nil
      ? segments.count == template.segments.count : segments.count >= template.segments.count)
      && zip(segments, template.segments).allSatisfy { Self.fits($0, $1) }
  }
}
