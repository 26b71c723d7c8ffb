extension Complaint {
  /// What can be wrong with a request.
  static let requests: [Complaint] = [
    .request(
      "a method in small letters",
      #"{ "method": "get", "path": "/things" }"#,
      says: #"""
        api/thing.json:2:24: error: found method "get", expected one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS [bad-value]
          fix: write it in capitals: "GET"
        """#),
    .request(
      "a method that nobody knows",
      #"{ "method": "GTE", "path": "/things" }"#,
      says: #"""
        api/thing.json:2:24: error: found method "GTE", expected one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS [bad-value]
          fix: did you mean "GET"?
        """#),
    .request(
      "a method that is no string",
      #"{ "method": 1, "path": "/things" }"#,
      says: #"""
        api/thing.json:2:24: error: found number 1, expected string [wrong-type]
        """#),
    .request(
      "a request without anything",
      "{}",
      says: #"""
        api/thing.json:2:12: error: missing "method" in a request [missing-key]
          fix: add "method"
        api/thing.json:2:12: error: missing "path" in a request [missing-key]
          fix: add "path"
        """#),
    .request(
      "a request that is an array",
      "[]",
      says: #"""
        api/thing.json:2:12: error: found array with 0 elements, expected an object: a request [wrong-type]
        """#),
    .request(
      "a misspelt key",
      #"{ "method": "GET", "path": "/things", "parametres": {} }"#,
      says: #"""
        api/thing.json:2:50: error: unknown key "parametres" in a request [unknown-key]
          fix: did you mean "parameters"?
        """#),
    .request(
      "a key that resembles none",
      #"{ "method": "GET", "path": "/things", "colour": {} }"#,
      says: #"""
        api/thing.json:2:50: error: unknown key "colour" in a request [unknown-key]
          fix: the keys of a request are method, path, also, parameters, body
        """#),
    .request(
      "a path without a slash",
      #"{ "method": "GET", "path": "things" }"#,
      says: #"""
        api/thing.json:2:39: error: found path "things", expected one that starts with a slash [bad-path]
          fix: write "/things"
        """#),
    .request(
      "a path that is an address",
      #"{ "method": "GET", "path": "https://api.example.com/things?page=1" }"#,
      says: #"""
        api/thing.json:2:39: error: found a URL, expected only the path after the base URL [bad-path]
          fix: write only the path, such as "/things"
        """#),
    .request(
      "a path with neither a slash nor a sense",
      #"{ "method": "GET", "path": "a//b" }"#,
      says: #"""
        api/thing.json:2:39: error: found path "a//b", expected one that starts with a slash [bad-path]
        """#),
    .request(
      "a path that is no string",
      #"{ "method": "GET", "path": 7 }"#,
      says: #"""
        api/thing.json:2:39: error: found number 7, expected string [wrong-type]
        """#),
    .request(
      "a path with a query",
      #"{ "method": "GET", "path": "/things?page=1" }"#,
      says: #"""
        api/thing.json:2:39: error: found "?" in path "/things?page=1", expected only a path [bad-path]
          fix: put the query into "parameters" as "query.NAME"
        """#),
    .request(
      "a path with a fragment",
      #"{ "method": "GET", "path": "/things#top" }"#,
      says: #"""
        api/thing.json:2:39: error: found "#" in path "/things#top", expected only a path [bad-path]
          fix: remove the fragment: it is never sent
        """#),
    .request(
      "a path with a space",
      #"{ "method": "GET", "path": "/my things" }"#,
      says: #"""
        api/thing.json:2:39: error: found " " in path "/my things", expected only a path [bad-path]
          fix: write the space as %20
        """#),
    .request(
      "a path with an empty segment",
      #"{ "method": "GET", "path": "/things//1" }"#,
      says: #"""
        api/thing.json:2:39: error: found an empty segment in path "/things//1", expected one slash at a time [bad-path]
          fix: remove a slash
        """#),
    .request(
      "a path with half a parameter",
      #"{ "method": "GET", "path": "/things/{id}.json" }"#,
      says: #"""
        api/thing.json:2:39: error: found segment "{id}.json" in path "/things/{id}.json", expected a parameter such as {id} [bad-path]
          fix: make the parameter a whole segment, named with letters, digits, _ and -
        """#),
    .request(
      "a path with a parameter twice",
      #"{ "method": "GET", "path": "/things/{id}/{id}" }"#,
      says: #"""
        api/thing.json:2:39: error: found parameter {id} twice in path "/things/{id}/{id}", expected each name once [bad-path]
          fix: rename one of them
        """#),
    .request(
      "a path with bad percent-encoding",
      #"{ "method": "GET", "path": "/100%/things" }"#,
      says: #"""
        api/thing.json:2:39: error: found segment "100%" in path "/100%/things", expected valid percent-encoding [bad-path]
          fix: write a percent sign itself as %25
        """#),
    .request(
      "a path of Express",
      #"{ "method": "GET", "path": "/jokes/:id" }"#,
      says: #"""
        api/thing.json:2:39: error: found segment ":id" in path "/jokes/:id", expected a parameter such as {id} [bad-path]
          fix: write "/jokes/{id}", or "%3Aid" for the characters themselves
        """#),
    .request(
      "a path of Express with a pattern",
      #"{ "method": "GET", "path": "/jokes/:id(\\d+)" }"#,
      says: #"""
        api/thing.json:2:39: error: found segment ":id(\d+)" in path "/jokes/:id(\d+)", expected a parameter such as {id} [bad-path]
          fix: write "/jokes/{id}", or "%3Aid%28%5Cd%2B%29" for the characters themselves
        """#),
    .request(
      "a path that ends in an asterisk",
      #"{ "method": "GET", "path": "/jokes/*" }"#,
      says: #"""
        api/thing.json:2:39: error: found segment "*" in path "/jokes/*", expected a parameter such as {id} [bad-path]
          fix: write "/jokes/{rest...}", or "%2A" for the characters themselves
        """#),
    .request(
      "a path with an asterisk inside",
      #"{ "method": "GET", "path": "/jokes/*/next" }"#,
      says: #"""
        api/thing.json:2:39: error: found segment "*" in path "/jokes/*/next", expected a parameter such as {id} [bad-path]
          fix: write "/jokes/{any}/next", or "%2A" for the characters themselves
        """#),
    .request(
      "a path of Flask",
      #"{ "method": "GET", "path": "/jokes/<int:id>" }"#,
      says: #"""
        api/thing.json:2:39: error: found segment "<int:id>" in path "/jokes/<int:id>", expected a parameter such as {id} [bad-path]
          fix: write "/jokes/{id}", or "%3Cint%3Aid%3E" for the characters themselves
        """#),
    .request(
      "other paths that are no array",
      #"{ "method": "GET", "path": "/things", "also": "/stuff" }"#,
      says: #"""
        api/thing.json:2:58: error: found string "/stuff", expected an array of strings [wrong-type]
          fix: put it in brackets: ["/stuff"]
        """#),
    .request(
      "another path that is no string",
      #"{ "method": "GET", "path": "/things", "also": [1] }"#,
      says: #"""
        api/thing.json:2:59: error: found number 1, expected string [wrong-type]
        """#),
    .request(
      "another path that is none",
      #"{ "method": "GET", "path": "/things", "also": ["stuff"] }"#,
      says: #"""
        api/thing.json:2:59: error: found path "stuff", expected one that starts with a slash [bad-path]
          fix: write "/stuff"
        """#),
    .request(
      "the same path twice",
      #"{ "method": "GET", "path": "/things/{id}", "also": ["/things/{name}"] }"#,
      says: #"""
        api/thing.json:2:63: error: the same path is given twice [ambiguous]
          fix: remove one of the two
        """#),
    .request(
      "a parameter that is not in the path",
      #"{ "method": "GET", "path": "/things/{id}", "parameters": { "path.ids": {} } }"#,
      says: #"""
        api/thing.json:2:83: error: "path.ids" is not in any path of this request [unknown-parameter]
          fix: did you mean "path.id"?
        """#),
    .request(
      "a parameter that resembles none in the path",
      #"{ "method": "GET", "path": "/things", "parameters": { "path.organisation": {} } }"#,
      says: #"""
        api/thing.json:2:87: error: "path.organisation" is not in any path of this request [unknown-parameter]
          fix: add {organisation} to the path, or remove this condition
        """#),
    .request(
      "a parameter of a misspelt part",
      #"{ "method": "GET", "path": "/things", "parameters": { "qeury.page": "1" } }"#,
      says: #"""
        api/thing.json:2:66: error: found key "qeury.page", expected path.NAME, query.NAME or header.NAME [bad-name]
          fix: did you mean "query.page"?
        """#),
    .request(
      "a parameter without a part",
      #"{ "method": "GET", "path": "/things", "parameters": { "page": "1" } }"#,
      says: #"""
        api/thing.json:2:66: error: found key "page", expected path.NAME, query.NAME or header.NAME [bad-name]
          fix: write "query.NAME" with the name of the parameter
        """#),
    .request(
      "a parameter without a name",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.": "1" } }"#,
      says: #"""
        api/thing.json:2:66: error: found key "query.", expected path.NAME, query.NAME or header.NAME [bad-name]
          fix: write "query.NAME" with the name of the parameter
        """#),
    .request(
      "a condition that is a number",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.page": 1 } }"#,
      says: #"""
        api/thing.json:2:80: error: found number 1, expected string or an object of conditions [wrong-type]
          fix: put it in quotes: "1"
        """#),
    .request(
      "a condition on a header that is an array",
      #"{ "method": "GET", "path": "/things", "parameters": { "header.Page": ["1"] } }"#,
      says: #"""
        api/thing.json:2:81: error: found array with 1 element, expected an object: a condition [wrong-type]
        """#),
    .request(
      "a header that equals an array",
      #"{ "method": "GET", "path": "/things", "parameters": { "header.Page": { "equals": ["1"] } } }"#,
      says: #"""
        api/thing.json:2:93: error: found array with 1 element, expected string [wrong-type]
        """#),
    .request(
      "values of a query parameter that are none",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.page": [], "query.sort": { "equals": [1] } } }"#,
      says: #"""
        api/thing.json:2:80: error: found array with 0 elements, expected an array of at least one string [bad-value]
        api/thing.json:2:110: error: found array with 1 element, expected an array of at least one string [bad-value]
        """#),
    .request(
      "two tests in one condition",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.page": { "equals": "1", "matches": "1" } } }"#,
      says: #"""
        api/thing.json:2:108: error: found "equals" and "matches" in a condition, expected at most one of "equals", "oneOf", "matches", "absent" [conflicting-keys]
          fix: remove one of the two
        """#),
    .request(
      "a condition with a misspelt key",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.page": { "equal": "1" } } }"#,
      says: #"""
        api/thing.json:2:82: error: unknown key "equal" in a condition [unknown-key]
          fix: did you mean "equals"?
        """#),
    .request(
      "a value that is no string",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.page": { "equals": 1 } } }"#,
      says: #"""
        api/thing.json:2:92: error: found number 1, expected string [wrong-type]
        """#),
    .request(
      "one of values that are no array",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.page": { "oneOf": "1" } } }"#,
      says: #"""
        api/thing.json:2:91: error: found string "1", expected an array of strings [wrong-type]
          fix: put it in brackets: ["1"]
        """#),
    .request(
      "one of a number",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.page": { "oneOf": ["1", 2] } } }"#,
      says: #"""
        api/thing.json:2:97: error: found number 2, expected string [wrong-type]
        """#),
    .request(
      "one of no values",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.page": { "oneOf": [] } } }"#,
      says: #"""
        api/thing.json:2:91: error: no values, expected at least one [bad-value]
        """#),
    .request(
      "a pattern that is none",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.page": { "matches": "(1" } } }"#,
      says: #"""
        api/thing.json:2:93: error: "(" without its ")", at character 1 of the pattern [bad-pattern]
          fix: write \( for the character itself
        """#),
    .request(
      "a pattern with a backreference",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.page": { "matches": "(1)\\1" } } }"#,
      says: #"""
        api/thing.json:2:93: error: backreference "\1" takes more than linear time, at character 4 of the pattern [bad-pattern]
          fix: write out what the group may match
        """#),
    .request(
      "a tail inside a path",
      #"{ "method": "GET", "path": "/{rest...}/things" }"#,
      says: #"""
        api/thing.json:2:39: error: found {rest...} inside path "/{rest...}/things", expected it as the last segment [bad-path]
          fix: write {rest} for one segment, or end the path with {rest...}
        """#),
    .request(
      "all others with a value",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.*": { "matches": "a" } } }"#,
      says: #"""
        api/thing.json:2:77: error: found object with 1 member for all that have no condition, expected { "absent": true } [bad-value]
          fix: write { "absent": true }, or name the one that you mean
        """#),
    .request(
      "an example that the condition excludes",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.page": { "not": "1", "example": "1" } } }"#,
      says: #"""
        api/thing.json:2:105: error: found example "1", expected anything but "1" [bad-value]
        """#),
    .request(
      "an order of nothing",
      #"{ "method": "POST", "path": "/things", "body": { "matches": "a", "order": "any" } }"#,
      says: #"""
        api/thing.json:2:86: error: an order of array elements needs JSON to compare [bad-value]
          fix: add "equals" or "contains", or remove "order"
        """#),
    .request(
      "a part with an unknown key",
      #"{ "method": "POST", "path": "/things", "body": { "multipart": { "a": { "fileName": "x" } } } }"#,
      says: #"""
        api/thing.json:2:83: error: unknown key "fileName" in a condition on a part [unknown-key]
          fix: did you mean "filename"?
        """#),
    .request(
      "absent in words",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.page": { "absent": "true" } } }"#,
      says: #"""
        api/thing.json:2:92: error: found string "true", expected true or false [wrong-type]
        """#),
    .request(
      "an optional path parameter",
      #"{ "method": "GET", "path": "/things/{id}", "parameters": { "path.id": { "optional": true } } }"#,
      says: #"""
        api/thing.json:2:96: error: found an optional path parameter, expected one that is always present [bad-value]
          fix: add the path without it to "also"
        """#),
    .request(
      "an example that does not meet its condition",
      #"{ "method": "GET", "path": "/things", "parameters": { "query.page": { "matches": "^[0-9]$", "example": "10" } } }"#,
      says: #"""
        api/thing.json:2:115: error: found example "10", expected a match of ^[0-9]$ [bad-value]
        """#),
    .request(
      "one header in two spellings",
      #"{ "method": "GET", "path": "/things", "parameters": { "header.Accept": "a", "header.accept": "b" } }"#,
      says: #"""
        api/thing.json:2:105: error: conditions on "header.accept" are given twice [duplicate-key]
          fix: header names ignore case: combine the conditions
        """#),
    .request(
      "a body condition with a misspelt key",
      #"{ "method": "POST", "path": "/things", "body": { "contain": {} } }"#,
      says: #"""
        api/thing.json:2:61: error: unknown key "contain" in a body condition [unknown-key]
          fix: did you mean "contains"?
        """#),
    .request(
      "a body condition that is an empty array",
      #"{ "method": "POST", "path": "/things", "body": [] }"#,
      says: #"""
        api/thing.json:2:59: error: no conditions on the body, expected at least one [bad-value]
          fix: remove "body", or write a condition
        """#),
    .request(
      "a body with a bad schema",
      #"{ "method": "POST", "path": "/things", "body": { "schema": { "type": "objekt" } } }"#,
      says: #"""
        api/thing.json:2:81: error: found string "objekt" as "type", expected one of null, boolean, integer, number, string, array, object [bad-schema]
          fix: did you mean "object"?
        """#),
    .request(
      "a body with a bad pattern",
      #"{ "method": "POST", "path": "/things", "body": { "matches": "[" } }"#,
      says: #"""
        api/thing.json:2:72: error: "[" without its "]", at character 1 of the pattern [bad-pattern]
          fix: write \[ for the character itself
        """#),
    .request(
      "an example body that does not meet its conditions",
      #"{ "method": "POST", "path": "/things", "body": { "contains": { "a": 1 }, "example": { "a": 2 } } }"#,
      says: #"""
        api/thing.json:2:96: error: the example has a different body: found number 2 at "/a", expected number 1 [bad-value]
        """#),
  ]
}
