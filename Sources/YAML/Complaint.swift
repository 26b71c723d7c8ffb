/// What stops the reader; `YAMLError` without the position, which is looked up once at the end.
///
/// A class, so that throwing functions return no more than a reference.
final class Complaint: Error {
  let kind: YAMLError.Kind
  let offset: Int
  let message: String
  let fix: String?

  init(_ kind: YAMLError.Kind, at offset: Int, _ message: String, fix: String? = nil) {
    self.kind = kind
    self.offset = offset
    self.message = message
    self.fix = fix
  }
}
