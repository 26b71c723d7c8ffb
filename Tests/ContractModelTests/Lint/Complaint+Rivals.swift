extension Complaint {
  /// What can be wrong between two contracts.
  static let rivals: [Complaint] = [
    .rivals(
      "two contracts for one path",
      #"{ "method": "GET", "path": "/things" }"#,
      #"{ "method": "GET", "path": "/things" }"#,
      says: #"""
        api/whatsit.json:2:12: error: api/thing also matches this request, and neither takes precedence [ambiguous]
          fix: add a condition to one of them, or make them cases of one contract
        """#),
    .rivals(
      "two contracts for one path under other names",
      #"{ "method": "GET", "path": "/things/{id}" }"#,
      #"{ "method": "GET", "path": "/things/{name}" }"#,
      says: #"""
        api/whatsit.json:2:12: error: api/thing also matches this request, and neither takes precedence [ambiguous]
          fix: add a condition to one of them, or make them cases of one contract
        """#),
    .rivals(
      "two contracts that meet in another path",
      #"{ "method": "GET", "path": "/things", "also": ["/stuff"] }"#,
      #"{ "method": "GET", "path": "/stuff" }"#,
      says: #"""
        api/whatsit.json:2:12: error: api/thing also matches this request, and neither takes precedence [ambiguous]
          fix: add a condition to one of them, or make them cases of one contract
        """#),
    .rivals(
      "two conditions that both can hold",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.a": "1" } }"#,
      #"{ "method": "GET", "path": "/things", "parameters": { "query.b": "1" } }"#,
      says: #"""
        api/whatsit.json:2:12: error: api/thing also matches this request, and neither takes precedence [ambiguous]
          fix: add a condition to one of them, or make them cases of one contract
        """#),
    .rivals(
      "an optional parameter that both can do without",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.a": { "equals": "1", "optional": true } } }"#,
      #"{ "method": "GET", "path": "/things", "parameters": { "query.a": { "equals": "2", "optional": true } } }"#,
      says: #"""
        api/whatsit.json:2:12: error: api/thing also matches this request, and neither takes precedence [ambiguous]
          fix: add a condition to one of them, or make them cases of one contract
        """#),
    .rivals(
      "values one of which is the same",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.a": { "oneOf": ["1", "2"] } } }"#,
      #"{ "method": "GET", "path": "/things", "parameters": { "query.a": { "oneOf": ["2", "3"] } } }"#,
      says: #"""
        api/whatsit.json:2:12: error: api/thing also matches this request, and neither takes precedence [ambiguous]
          fix: add a condition to one of them, or make them cases of one contract
        """#),
    .rivals(
      "a value that matches the pattern",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.a": { "matches": "^[0-9]+$" } } }"#,
      #"{ "method": "GET", "path": "/things", "parameters": { "query.a": "2" } }"#,
      says: #"""
        api/whatsit.json:2:12: error: api/thing also matches this request, and neither takes precedence [ambiguous]
          fix: add a condition to one of them, or make them cases of one contract
        """#),
    .rivals(
      "a literal that takes the only value of a parameter",
      #"{ "method": "GET", "path": "/things/{id}", "parameters": { "path.id": "new" } }"#,
      #"{ "method": "GET", "path": "/things/new" }"#,
      says: #"""
        api/thing.json:2:12: error: this contract never matches: api/whatsit always wins [unreachable]
          fix: require something that whatsit does not, or remove one of the two
        """#),
    .rivals(
      "literals that take all values of a parameter",
      #"{ "method": "GET", "path": "/things/{id}", "parameters": { "path.id": { "oneOf": ["a", "b"] } } }"#,
      #"{ "method": "GET", "path": "/things/a", "also": ["/things/b"] }"#,
      says: #"""
        api/thing.json:2:12: error: this contract never matches: api/whatsit always wins [unreachable]
          fix: require something that whatsit does not, or remove one of the two
        """#),
    .rivals(
      "a body that contains both",
      #"{ "method": "POST", "path": "/things", "body": { "contains": { "a": 1 } } }"#,
      #"{ "method": "POST", "path": "/things", "body": { "contains": { "b": 1 } } }"#,
      says: #"""
        api/whatsit.json:2:12: error: api/thing also matches this request, and neither takes precedence [ambiguous]
          fix: add a condition to one of them, or make them cases of one contract
        """#),
    .rivals(
      "a body that another contract asks more of",
      #"{ "method": "POST", "path": "/things", "body": { "equals": { "a": 1 } } }"#,
      #"{ "method": "POST", "path": "/things", "body": { "contains": { "a": 1 }, "schema": { "type": "object" } } }"#,
      says: #"""
        api/thing.json:2:12: error: this contract never matches: api/whatsit always wins [unreachable]
          fix: require something that whatsit does not, or remove one of the two
        """#),
    .rivals(
      "one body written in two ways",
      #"{ "method": "POST", "path": "/things", "body": { "equals": { "a": 1, "b": 2 } } }"#,
      #"{ "method": "POST", "path": "/things", "body": { "equals": { "b": 2.0, "a": 1 } } }"#,
      says: #"""
        api/whatsit.json:2:12: error: api/thing also matches this request, and neither takes precedence [ambiguous]
          fix: add a condition to one of them, or make them cases of one contract
        """#),
    .rivals(
      "a text that matches",
      #"{ "method": "POST", "path": "/things", "body": { "text": "ab" } }"#,
      #"{ "method": "POST", "path": "/things", "body": { "matches": "^a" } }"#,
      says: #"""
        api/whatsit.json:2:12: error: api/thing also matches this request, and neither takes precedence [ambiguous]
          fix: add a condition to one of them, or make them cases of one contract
        """#),
  ]
}

extension Complaint {
  /// Two contracts that lint has nothing against.
  static let peacefulRivals: [Complaint] = [
    .rivals(
      "different methods",
      #"{ "method": "GET", "path": "/things" }"#,
      #"{ "method": "POST", "path": "/things" }"#,
      says: ""),
    .rivals(
      "a literal and a parameter",
      #"{ "method": "GET", "path": "/things/{id}" }"#,
      #"{ "method": "GET", "path": "/things/new" }"#,
      says: ""),
    .rivals(
      "more conditions than the other",
      #"{ "method": "GET", "path": "/things" }"#,
      #"{ "method": "GET", "path": "/things", "parameters": { "query.a": "1" } }"#,
      says: ""),
    .rivals(
      "different values of one query parameter",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.a": "1" } }"#,
      #"{ "method": "GET", "path": "/things", "parameters": { "query.a": "2" } }"#,
      says: ""),
    .rivals(
      "different values of one header in two spellings",
      #"{ "method": "GET", "path": "/things", "parameters": { "header.Accept": "a" } }"#,
      #"{ "method": "GET", "path": "/things", "parameters": { "header.accept": "b" } }"#,
      says: ""),
    .rivals(
      "different values of one path parameter under two names",
      #"{ "method": "GET", "path": "/things/{id}", "parameters": { "path.id": "1" } }"#,
      #"{ "method": "GET", "path": "/things/{name}", "parameters": { "path.name": "2" } }"#,
      says: ""),
    .rivals(
      "a parameter that is absent there",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.a": { "absent": true } } }"#,
      #"{ "method": "GET", "path": "/things", "parameters": { "query.a": {} } }"#,
      says: ""),
    .rivals(
      "values that do not match the pattern",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.a": { "matches": "^[0-9]+$" } } }"#,
      #"{ "method": "GET", "path": "/things", "parameters": { "query.a": { "oneOf": ["x", "y"] } } }"#,
      says: ""),
    .rivals(
      "a literal for one of two values",
      #"{ "method": "GET", "path": "/things/{id}", "parameters": { "path.id": { "oneOf": ["new", "old"] } } }"#,
      #"{ "method": "GET", "path": "/things/new" }"#,
      says: ""),
    .rivals(
      "different bodies",
      #"{ "method": "POST", "path": "/things", "body": { "equals": { "a": 1 } } }"#,
      #"{ "method": "POST", "path": "/things", "body": { "equals": { "a": 2 } } }"#,
      says: ""),
    .rivals(
      "bodies with different members",
      #"{ "method": "POST", "path": "/things", "body": { "contains": { "a": { "b": [1, 2] } } } }"#,
      #"{ "method": "POST", "path": "/things", "body": { "contains": { "a": { "b": [1, 3] } } } }"#,
      says: ""),
    .rivals(
      "a body that does not fulfil the schema",
      #"{ "method": "POST", "path": "/things", "body": { "equals": [] } }"#,
      #"{ "method": "POST", "path": "/things", "body": { "schema": { "type": "object" } } }"#,
      says: ""),
    .rivals(
      "a text that does not match",
      #"{ "method": "POST", "path": "/things", "body": { "text": "b" } }"#,
      #"{ "method": "POST", "path": "/things", "body": { "matches": "^a" } }"#,
      says: ""),
  ]
}
