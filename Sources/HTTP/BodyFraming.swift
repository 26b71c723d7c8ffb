/// How the end of a request's body is determined (RFC 9112, section 6.3).
public enum BodyFraming: Hashable, Sendable {
  case none
  case length(Int)
  case chunked
}
