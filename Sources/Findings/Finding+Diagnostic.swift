import UnderstudyCore
package import UnderstudyJSON

extension Finding {
  /// Writes the members of a diagnostic, as programs read it.
  ///
  /// - Parameter namesFile: whether the reader does not know the file anyway.
  package func writeDiagnostic(to object: inout JSONWriter, namesFile: Bool = true) {
    object.member("severity", severity.rawValue)
    object.member("rule", type.rawValue)
    if namesFile { object.member("file", file) }
    object.member("line", position?.line)
    object.member("column", position?.column)
    object.member("message", message)
    object.member("fix", fix)
    object.member("page", type.page)
  }
}

extension JSONWriter {
  /// Writes an array of diagnostics.
  package mutating func diagnostics(
    _ findings: [Finding], as key: String = "diagnostics", namingFiles: Bool = true
  ) {
    list(key, findings) { writer, finding in
      writer.object { finding.writeDiagnostic(to: &$0, namesFile: namingFiles) }
    }
  }
}
