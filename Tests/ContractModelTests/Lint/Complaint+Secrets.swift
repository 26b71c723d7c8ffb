extension Complaint {
  /// Where a credential can stand, and what is plainly none.
  static let secrets: [Complaint] = [
    .request(
      "credentials that a request asks for",
      #"""
      { "method": "GET", "path": "/a", "parameters": {
      "header.Authorization": "Basic dGVzdDp0ZXN0",
      "header.x-api-key": { "equals": "0123" },
      "header.Proxy-Authorization": { "oneOf": ["Basic dGVzdA=="] },
      "header.Cookie": { "example": "theme=dark; id=0123456789abcdef" } } }
      """#,
      says: #"""
        api/thing.json:3:25: error: the value for Authorization in a file may be a secret [secret]
          fix: use an obviously invented one, such as "invented"
        api/thing.json:4:33: error: the value for x-api-key in a file may be a secret [secret]
          fix: use an obviously invented one, such as "invented"
        api/thing.json:5:42: error: the value for Proxy-Authorization in a file may be a secret [secret]
          fix: use an obviously invented one, such as "invented"
        api/thing.json:6:31: error: the value for Cookie in a file may be a secret [secret]
          fix: use an obviously invented one, such as "invented"
        """#),
    .request(
      "credentials that are plainly invented",
      #"""
      { "method": "GET", "path": "/a", "parameters": {
      "header.Authorization": "Bearer invented", "header.X-Api-Key": { "matches": "^a" },
      "header.Cookie": { "example": "theme=dark; id=example-0123456789" } } }
      """#,
      says: ""),
    .member(
      "secrets where something else is expected, whole and cut short",
      #"""
      "scripts": "ghp_0123456789abcdefghijABCDEFGHIJ012345",
      "waive": "a text that goes on for long before the key: ghp_0123456789abcdefghijABCDEFGHIJ012345",
      "ghp_0123456789abcdefghijABCDEFGHIJ012345": 1
      """#,
      says: #"""
        api/thing.json:4:12: error: this looks like a secret, which no file should have [secret]
          fix: revoke it, and use an obviously invented value
        api/thing.json:4:12: error: found string "[redacted]", expected an object: scripts by name [wrong-type]
        api/thing.json:5:10: error: this looks like a secret, which no file should have [secret]
          fix: revoke it, and use an obviously invented value
        api/thing.json:5:10: error: found string "a text that goes on for long before the key: [redacted]"…, expected an object: reasons by rule [wrong-type]
        api/thing.json:6:1: error: this looks like a secret, which no file should have [secret]
          fix: revoke it, and use an obviously invented value
        api/thing.json:6:1: error: unknown key "[redacted]" in a contract [unknown-key]
          fix: the keys of a contract are summary, request, default, cases, scripts, waive
        """#),
    .case(
      "a credential sent to the live API",
      #""status": 401, "live": { "parameters": { "header.Authorization": "Basic dGVzdA==", "path.id": "2" } }"#,
      says: #"""
        api/thing.json:5:74: error: the value for Authorization in a file may be a secret [secret]
          fix: use an obviously invented one, such as "invented"
        api/thing.json:5:74: error: found "header.Authorization", expected a parameter of the request [unknown-parameter]
          fix: its parameters are path.id
        """#),
    .case(
      "a session of a response",
      #""status": 200, "headers": { "Set-Cookie": ["id=0123456789abcdef; Path=/", "id=; Path=/; Domain=api.example.com"] }"#,
      says: #"""
        api/thing.json:5:52: error: the value for Set-Cookie in a file may be a secret [secret]
          fix: use an obviously invented one, such as "invented"
        """#),
    .case(
      "a secret among the keys",
      #""status": 200, "body": { "ghp_0123456789abcdefghijABCDEFGHIJ012345": 1 }"#,
      says: #"""
        api/thing.json:5:34: error: this looks like a secret, which no file should have [secret]
          fix: revoke it, and use an obviously invented value
        """#),
    .files(
      "a secret in a body of its own",
      [
        "api/files/a.txt": "token ghp_0123456789abcdefghijABCDEFGHIJ012345\n",
        "api/thing.json": Sample.contract(
          cases: #""it": { "status": 200, "file": "files/a.txt" }"#),
      ],
      says: #"""
        api/thing.json:5:32: error: this looks like a secret, which no file should have [secret]
          fix: revoke it, and use an obviously invented value
        """#),
  ]
}
