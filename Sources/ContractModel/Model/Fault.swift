/// How a response breaks on the wire. The first four use WireMock's names.
package enum Fault: String, Sendable, CaseIterable {
  case emptyResponse = "EMPTY_RESPONSE"
  case malformedResponseChunk = "MALFORMED_RESPONSE_CHUNK"
  case randomDataThenClose = "RANDOM_DATA_THEN_CLOSE"
  case connectionResetByPeer = "CONNECTION_RESET_BY_PEER"
  case connectionResetInBody = "CONNECTION_RESET_IN_BODY"
  case connectionClosedInBody = "CONNECTION_CLOSED_IN_BODY"
  case malformedStatusLine = "MALFORMED_STATUS_LINE"
  case malformedHeader = "MALFORMED_HEADER"

  /// Whether it cuts off a body that was good so far.
  package var isInBody: Bool { self == .connectionResetInBody || self == .connectionClosedInBody }

  /// Whether part of a response is sent first, which the case then has to define.
  package var servesResponse: Bool {
    switch self {
    case .emptyResponse, .randomDataThenClose, .connectionResetByPeer, .malformedStatusLine: false
    case .malformedResponseChunk, .connectionResetInBody, .connectionClosedInBody,
      .malformedHeader:
      true
    }
  }
}
