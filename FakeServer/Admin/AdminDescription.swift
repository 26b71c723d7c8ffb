/// The admin API in words other programs understand: an OpenAPI 3.1 document.
///
/// `AdminOperation` has the same routes; a test holds one against the other, and every answer
/// against its schema here.
enum AdminDescription {
  static let text = [
    head, "  \"paths\": {", "\(contractPaths),", otherPaths, "  },",
    "  \"components\": {", "\(parts),", schemas, "  }", "}\n",
  ].joined(separator: "\n")

  private static let head = #"""
    {
      "openapi": "3.1.0",
      "info": {
        "title": "Understudy admin API",
        "version": "1",
        "description": "Steers a running fake server and tells what it received. A session put \#
    before the path, /~worker-3/__understudy/…, confines every operation to that session; \#
    without one, cases, scripts and state are the main session's, journal and reset the whole \#
    server's."
      },
      "servers": [
        { "url": "/__understudy" },
        {
          "url": "/~{session}/__understudy",
          "description": "Of one session.",
          "variables": { "session": { "default": "worker-1" } }
        }
      ],
      "security": [{}, { "adminToken": [] }],
    """#
}
