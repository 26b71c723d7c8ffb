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
        api/thing.json:2:12: error: found a request without "method" [missing-key]
          fix: add "method"
        api/thing.json:2:12: error: found a request without "path" [missing-key]
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
        api/thing.json:2:50: error: found unknown key "parametres" in a request [unknown-key]
          fix: did you mean "parameters"?
        """#),
    .request(
      "a key that resembles none",
      #"{ "method": "GET", "path": "/things", "colour": {} }"#,
      says: #"""
        api/thing.json:2:50: error: found unknown key "colour" in a request [unknown-key]
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
        api/thing.json:2:39: error: found an address for a path, expected what comes after the base URL [bad-path]
          fix: write the path alone, such as "/things"
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
        api/thing.json:2:39: error: found "?" in path "/things?page=1", expected a path alone [bad-path]
          fix: put the query into "parameters" as "query.NAME"
        """#),
    .request(
      "a path with a fragment",
      #"{ "method": "GET", "path": "/things#top" }"#,
      says: #"""
        api/thing.json:2:39: error: found "#" in path "/things#top", expected a path alone [bad-path]
          fix: leave the fragment out: it is never sent
        """#),
    .request(
      "a path with a space",
      #"{ "method": "GET", "path": "/my things" }"#,
      says: #"""
        api/thing.json:2:39: error: found " " in path "/my things", expected a path alone [bad-path]
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
        api/thing.json:2:63: error: found the same path twice [ambiguous]
          fix: remove one of the two
        """#),
    .request(
      "a parameter that is not in the path",
      #"{ "method": "GET", "path": "/things/{id}", "parameters": { "path.ids": {} } }"#,
      says: #"""
        api/thing.json:2:83: error: found "path.ids", which is in no path of this request [unknown-parameter]
          fix: did you mean "path.id"?
        """#),
    .request(
      "a parameter that resembles none in the path",
      #"{ "method": "GET", "path": "/things", "parameters": { "path.organisation": {} } }"#,
      says: #"""
        api/thing.json:2:87: error: found "path.organisation", which is in no path of this request [unknown-parameter]
          fix: add {organisation} to the path, or remove this
        """#),
    .request(
      "a parameter of a misspelt part",
      #"{ "method": "GET", "path": "/things", "parameters": { "qeury.page": "1" } }"#,
      says: #"""
        api/thing.json:2:66: error: found key "qeury.page", expected path.NAME, query.NAME or header.NAME [bad-name]
          fix: did you mean "query.page"?
        """#),
  ]
}
