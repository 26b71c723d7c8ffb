/// What is read of a HAR. Tools add members of their own, so others are only noted where they look
/// misspelt.
enum HARMembers {
  /// The form of a HAR without its entries.
  static let log = object([
    "log": object([
      "version": .unread, "creator": .unread, "browser": .unread, "pages": .unread,
      "entries": .unread,
    ])
  ])

  static let entry = object([
    "request": request, "response": response, "time": .number, "pageref": .unread,
    "startedDateTime": .unread, "cache": .unread, "connection": .unread,
    "serverIPAddress": .unread,
    "timings": object([
      "send": .number, "wait": .number, "receive": .number, "blocked": .unread, "dns": .unread,
      "connect": .unread, "ssl": .unread,
    ]),
  ])

  private static let request = object([
    "method": .text, "url": .text, "httpVersion": .unread, "cookies": .unread,
    "headers": headers, "queryString": .unread, "headersSize": .unread, "bodySize": .unread,
    "postData": object([
      "mimeType": .text, "text": .text, "encoding": .text,
      "params": .list(
        object([
          "name": .text, "value": .text, "fileName": .text, "contentType": .text,
        ])),
    ]),
  ])

  private static let response = object([
    "status": .number, "statusText": .unread, "httpVersion": .unread, "cookies": .unread,
    "headers": headers, "redirectURL": .unread, "headersSize": .unread, "bodySize": .number,
    "content": object([
      "size": .number, "compression": .unread, "mimeType": .text, "text": .text,
      "encoding": .text,
    ]),
  ])

  private static let headers = DocumentForm.list(
    object(["name": .text, "value": .text], required: ["name", "value"]))

  private static func object(
    _ forms: [String: DocumentForm], required: [String] = []
  ) -> DocumentForm {
    .object(
      .init(
        forms.merging(["comment": .unread]) { $1 }, others: .misspelt, prefix: "_",
        required: required))
  }
}
