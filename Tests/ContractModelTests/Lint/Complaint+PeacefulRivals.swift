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
