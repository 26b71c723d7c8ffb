extension Complaint {
  /// What can be wrong with shares of requests.
  static let shares: [Complaint] = [
    .case(
      "a share in percent",
      #""like": "ok", "when": { "share": 5 }"#,
      says: #"""
        api/thing.json:5:42: error: found number 5, expected a number above 0, at most 1, such as 0.05 [bad-value]
          fix: write 0.05 for 5 %
        """#),
    .cases(
      "shares that are more than all requests",
      #"""
      "a": { "like": "ok", "when": { "share": 0.6 } },
      "b": { "like": "ok", "when": { "share": 0.3 } },
      "c": { "like": "ok", "when": { "share": 0.3, "request": { "query.a": "1" } } },
      "d": { "like": "ok", "when": { "share": 0.2 } }
      """#,
      says: #"""
        api/thing.json:7:41: error: found share 0.3, expected at most 0.1: the cases before it have the rest [bad-value]
          fix: lower the shares: those of the same requests add up to 1 at most
        api/thing.json:8:41: error: found share 0.2, expected at most 0.1: the cases before it have the rest [bad-value]
          fix: lower the shares: those of the same requests add up to 1 at most
        """#),
    .cases(
      "shares that leave nothing",
      #"""
      "a": { "like": "ok", "when": { "share": 0.7 } },
      "b": { "like": "ok", "when": { "share": 0.3 } },
      "c": { "like": "ok", "when": { "share": 0.1 } }
      """#,
      says: #"""
        api/thing.json:7:30: error: this case is never served: "b" comes first, with the same requests and state [unreachable]
          fix: change one "when", or remove it and choose the case by hand
        """#),
    .cases(
      "shares with many digits",
      #"""
      "a": { "like": "ok", "when": { "share": 0.33333333 } },
      "b": { "like": "ok", "when": { "share": 0.33333333 } },
      "c": { "like": "ok", "when": { "share": 0.33333333 } }
      """#, says: ""),
    .cases(
      "shares that add up to all requests",
      #"""
      "a": { "like": "ok", "when": { "share": 0.1 } },
      "b": { "like": "ok", "when": { "share": 0.2 } },
      "c": { "like": "ok", "when": { "share": 0.7 } }
      """#, says: ""),
    .cases(
      "shares with the rest for another case",
      #"""
      "a": { "like": "ok", "when": { "request": { "query.a": "1" }, "share": 0.1 } },
      "b": { "like": "ok", "when": { "request": { "query.a": "1" }, "share": 0.2 } },
      "c": { "like": "ok", "when": { "request": { "query.a": "1" } } },
      "d": { "like": "ok", "when": { "request": { "query.a": "2" }, "share": 1 } }
      """#, says: ""),
  ]
}
