import Testing
import UnderstudyJSON

@testable import UnderstudyInterchange

/// The bytes of a message, in every form that a HAR may have them.
@Suite struct HARBodyTests {
  private static func value(_ text: String) throws -> JSONValue {
    try JSONDocument(parsing: Array(text.utf8)).root
  }

  @Test(
    "what was sent",
    arguments: [
      ("{}", "", nil),
      (#"{"postData": null}"#, "", nil),
      (#"{"postData": {"mimeType": "text/plain", "text": "a ü"}}"#, "a ü", "text/plain"),
      (#"{"postData": {"mimeType": "text/plain", "text": ""}}"#, "", "text/plain"),
      (#"{"postData": {"mimeType": "a/b", "text": "aGk=", "encoding": "base64"}}"#, "hi", "a/b"),
      (#"{"postData": {"mimeType": "a/b", "text": "aGk=", "encoding": "BASE64"}}"#, "hi", "a/b"),
      (#"{"postData": {"mimeType": "a/b", "text": "aGk="}}"#, "aGk=", "a/b"),
      (#"{"postData": {"mimeType": "a/b", "text": "aGk=", "encoding": "hex"}}"#, "aGk=", "a/b"),
      (#"{"postData": {"mimeType": "a/b", "text": "*", "encoding": "base64"}}"#, "*", "a/b"),
      (
        #"{"postData": {"mimeType": "", "params": [{"name": "a b", "value": "&"}, {"name": "c"}]}}"#,
        "a%20b=%26&c=", "application/x-www-form-urlencoded"
      ),
      (
        #"{"headers": [{"name": "content-TYPE", "value": "multipart/form-data; boundary=x"}], "postData": {"params": [{"name": "a", "value": "1", "fileName": "f\"\r\n.txt", "contentType": "a/b"}]}}"#,
        "--fields\r\nContent-Disposition: form-data; name=\"a\"; filename=\"f\\\" .txt\"\r\nContent-Type: a/b\r\n\r\n1\r\n--fields--\r\n",
        "multipart/form-data; boundary=x"
      ),
      (
        #"{"postData": {"mimeType": "application/x-www-form-urlencoded", "text": "a=1", "params": [{"name": "a", "value": "2"}]}}"#,
        "a=1", "application/x-www-form-urlencoded"
      ),
    ] as [(String, String, String?)])
  func sent(request: String, bytes: String, type: String?) throws {
    let body = HARBody(sentIn: try Self.value(request))
    #expect(String(decoding: body.bytes, as: UTF8.self) == bytes)
    #expect(body.type == type)
    #expect(body.widening == nil)
  }

  @Test(
    "what was received",
    arguments: [
      (#"{"content": {"mimeType": "text/plain", "text": "a"}}"#, 200, "a", true, "text/plain"),
      (#"{"content": {"text": "aGk=", "encoding": "base64"}}"#, 200, "hi", false, nil),
      (#"{"content": {"text": "aGk=", "encoding": "Base64"}}"#, 200, "hi", false, nil),
      (#"{"content": {"mimeType": "x-unknown", "text": "a"}}"#, 200, "a", true, nil),
      (#"{"content": {"size": 0}}"#, 200, "", false, nil),
      (#"{"content": {"size": 5}}"#, 204, "", false, nil),
      (#"{"content": {"size": 5}}"#, 300, "", false, nil),
      (#"{"content": {"size": 5}}"#, 399, "", false, nil),
      (#"{"content": {"text": ""}, "bodySize": 7}"#, 302, "", false, nil),
      ("{}", 200, "", false, nil),
    ] as [(String, Int, String, Bool, String?)])
  func received(
    response: String, status: Int, bytes: String, isText: Bool, type: String?
  ) throws {
    let body = try HARBody(receivedIn: Self.value(response), status: status)
    #expect(String(decoding: body.bytes, as: UTF8.self) == bytes)
    #expect(body.isText == isText)
    #expect(body.type == type)
  }

  @Test(
    "a body that the file does not have, or not rightly, is none",
    arguments: [
      (#"{"content": {"size": 5}}"#, 200, "the file does not have its body"),
      (#"{"bodySize": 5}"#, 299, "the file does not have its body"),
      (#"{"content": {"text": ""}, "bodySize": 1}"#, 400, "the file does not have its body"),
      (
        #"{"content": {"text": "a?", "encoding": "base64"}}"#, 200,
        "its body is not valid Base64"
      ),
    ])
  func missing(response: String, status: Int, reason: String) throws {
    let error = #expect(throws: HAREntry.Unusable.self) {
      try HARBody(receivedIn: Self.value(response), status: status)
    }
    #expect(error?.reason == reason)
  }
}
