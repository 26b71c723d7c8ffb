extension Complaint {
  /// What can be wrong between two contracts.
  static let rivals: [Complaint] = [
    .rivals(
      "two contracts for one path",
      #"{ "method": "GET", "path": "/things" }"#,
      #"{ "method": "GET", "path": "/things" }"#,
      says: #"""
        api/whatsit.json:2:12: error: found a request that api/thing answers as well, and nothing decides between the two [ambiguous]
          fix: add a condition to one of them, or make them cases of one contract
        """#),
    .rivals(
      "two contracts for one path under other names",
      #"{ "method": "GET", "path": "/things/{id}" }"#,
      #"{ "method": "GET", "path": "/things/{name}" }"#,
      says: #"""
        api/whatsit.json:2:12: error: found a request that api/thing answers as well, and nothing decides between the two [ambiguous]
          fix: add a condition to one of them, or make them cases of one contract
        """#),
    .rivals(
      "two contracts that meet in another path",
      #"{ "method": "GET", "path": "/things", "also": ["/stuff"] }"#,
      #"{ "method": "GET", "path": "/stuff" }"#,
      says: #"""
        api/whatsit.json:2:12: error: found a request that api/thing answers as well, and nothing decides between the two [ambiguous]
          fix: add a condition to one of them, or make them cases of one contract
        """#),
    .rivals(
      "two conditions that both can hold",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.a": "1" } }"#,
      #"{ "method": "GET", "path": "/things", "parameters": { "query.b": "1" } }"#,
      says: #"""
        api/whatsit.json:2:12: error: found a request that api/thing answers as well, and nothing decides between the two [ambiguous]
          fix: add a condition to one of them, or make them cases of one contract
        """#),
    .rivals(
      "an optional parameter that both can do without",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.a": { "equals": "1", "optional": true } } }"#,
      #"{ "method": "GET", "path": "/things", "parameters": { "query.a": { "equals": "2", "optional": true } } }"#,
      says: #"""
        api/whatsit.json:2:12: error: found a request that api/thing answers as well, and nothing decides between the two [ambiguous]
          fix: add a condition to one of them, or make them cases of one contract
        """#),
    .rivals(
      "values one of which is the same",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.a": { "oneOf": ["1", "2"] } } }"#,
      #"{ "method": "GET", "path": "/things", "parameters": { "query.a": { "oneOf": ["2", "3"] } } }"#,
      says: #"""
        api/whatsit.json:2:12: error: found a request that api/thing answers as well, and nothing decides between the two [ambiguous]
          fix: add a condition to one of them, or make them cases of one contract
        """#),
    .rivals(
      "a value that matches the pattern",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.a": { "matches": "^[0-9]+$" } } }"#,
      #"{ "method": "GET", "path": "/things", "parameters": { "query.a": "2" } }"#,
      says: #"""
        api/whatsit.json:2:12: error: found a request that api/thing answers as well, and nothing decides between the two [ambiguous]
          fix: add a condition to one of them, or make them cases of one contract
        """#),
    .rivals(
      "a literal that takes the only value of a parameter",
      #"{ "method": "GET", "path": "/things/{id}", "parameters": { "path.id": "new" } }"#,
      #"{ "method": "GET", "path": "/things/new" }"#,
      says: #"""
        api/thing.json:2:12: error: found a contract that api/whatsit always wins against [unreachable]
          fix: ask for something that whatsit does not, or remove one of the two
        """#),
    .rivals(
      "literals that take all values of a parameter",
      #"{ "method": "GET", "path": "/things/{id}", "parameters": { "path.id": { "oneOf": ["a", "b"] } } }"#,
      #"{ "method": "GET", "path": "/things/a", "also": ["/things/b"] }"#,
      says: #"""
        api/thing.json:2:12: error: found a contract that api/whatsit always wins against [unreachable]
          fix: ask for something that whatsit does not, or remove one of the two
        """#),
    .rivals(
      "a body that contains both",
      #"{ "method": "POST", "path": "/things", "body": { "contains": { "a": 1 } } }"#,
      #"{ "method": "POST", "path": "/things", "body": { "contains": { "b": 1 } } }"#,
      says: #"""
        api/whatsit.json:2:12: error: found a request that api/thing answers as well, and nothing decides between the two [ambiguous]
          fix: add a condition to one of them, or make them cases of one contract
        """#),
    .rivals(
      "a body that another contract asks more of",
      #"{ "method": "POST", "path": "/things", "body": { "equals": { "a": 1 } } }"#,
      #"{ "method": "POST", "path": "/things", "body": { "contains": { "a": 1 }, "schema": { "type": "object" } } }"#,
      says: #"""
        api/thing.json:2:12: error: found a contract that api/whatsit always wins against [unreachable]
          fix: ask for something that whatsit does not, or remove one of the two
        """#),
    .rivals(
      "one body written in two ways",
      #"{ "method": "POST", "path": "/things", "body": { "equals": { "a": 1, "b": 2 } } }"#,
      #"{ "method": "POST", "path": "/things", "body": { "equals": { "b": 2.0, "a": 1 } } }"#,
      says: #"""
        api/whatsit.json:2:12: error: found a request that api/thing answers as well, and nothing decides between the two [ambiguous]
          fix: add a condition to one of them, or make them cases of one contract
        """#),
    .rivals(
      "a text that matches",
      #"{ "method": "POST", "path": "/things", "body": { "text": "ab" } }"#,
      #"{ "method": "POST", "path": "/things", "body": { "matches": "^a" } }"#,
      says: #"""
        api/whatsit.json:2:12: error: found a request that api/thing answers as well, and nothing decides between the two [ambiguous]
          fix: add a condition to one of them, or make them cases of one contract
        """#),
  ]
}
