import UnderstudyContractModel
import UnderstudyCore

extension Admin {
  /// Tells what happens from now on, or since the last event that the client got.
  func listen(_ request: Request) throws(Problem) -> OwnResponse {
    var lastID: UInt64?
    if let text = request.headerValue("last-event-id") {
      guard let id = UInt64(text) else {
        throw .badRequest(
          "found Last-Event-ID \"\(text)\", expected the id of an event, a whole number",
          fix: "leave it out to get the events from now on")
      }
      lastID = id
    }
    var response = OwnResponse(
      status: 200, contentType: "text/event-stream",
      headers: [HeaderField(name: "Cache-Control", value: "no-store")], body: [])
    response.pieces = core.events.listen(session: scope, after: lastID)
    return response
  }
}
