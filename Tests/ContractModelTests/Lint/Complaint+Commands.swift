extension Complaint {
  /// What can be wrong with a command and what it must end with.
  static let commands: [Complaint] =
    [
      command(
        "a command without an exit code",
        #""stdout": "a""#,
        says: #"""
          api/thing.json:5:46: error: found none of "value", "error", "exitCode", "like" in an expectation, expected one [missing-key]
          """#),
      command(
        "an exit code there cannot be",
        #""exitCode": 256"#,
        says: #"""
          api/thing.json:5:60: error: found 256, expected an exit code from 0 to 255 [bad-value]
          """#),
      command(
        "an exit code in quotes",
        #""exitCode": "3""#,
        says: #"""
          api/thing.json:5:60: error: found string "3", expected an exit code from 0 to 255 [wrong-type]
            fix: remove the quotes: 3
          """#),
      command(
        "a text that is a number",
        #""exitCode": 0, "stdout": 1"#,
        says: #"""
          api/thing.json:5:73: error: found number 1, expected an object: a condition on text [wrong-type]
          """#),
      command(
        "a text of which nothing is asked",
        #""exitCode": 0, "stdout": {}"#,
        says: #"""
          api/thing.json:5:73: error: found none of "equals", "contains", "matches" in a condition on text, expected one [missing-key]
          """#),
      command(
        "a misspelt condition on text",
        #""exitCode": 0, "stderr": { "contain": "a" }"#,
        says: #"""
          api/thing.json:5:75: error: unknown key "contain" in a condition on text [unknown-key]
            fix: did you mean "contains"?
          """#),
      command(
        "a pattern of a text that is none",
        #""exitCode": 0, "stdout": { "matches": "(" }"#,
        says: #"""
          api/thing.json:5:86: error: "(" without its ")", at character 1 of the pattern [bad-pattern]
            fix: write \( for the character itself
          """#),
      command(
        "arguments of a command",
        #""exitCode": 0, "arguments": {}"#,
        says: #"""
          api/thing.json:5:76: error: found "arguments" beside "exitCode", expected it for a service [conflicting-keys]
          """#),
      command(
        "a text beside an outcome that is like another",
        #""like": "ok", "stdout": "a""#,
        says: #"""
          api/thing.json:5:56: error: "ok" is not a case that expects something of api-cli [unknown-case]
            fix: the cases are it
          api/thing.json:5:72: error: found "stdout" beside "like", expected it beside "exitCode" [conflicting-keys]
          """#),
      command(
        "the value of a command",
        #""value": 1"#,
        says: #"""
          api/thing.json:5:57: error: found "value" of the command api-cli, expected "exitCode" [unknown-key]
          """#),
      .case(
        "the exit code of a service",
        #""like": "ok", "expect": { "things.get": { "exitCode": 0 } }"#,
        says: #"""
          api/thing.json:5:63: error: found "exitCode" of the service things.get, expected "value" or "error" [unknown-key]
            fix: if it is a command, declare it in consumers.json with "command": ["python3", "client.py"]
          """#),
      .consumers(
        "a command that is none",
        #"{ "things.get": { "upstreams": ["api"], "command": false } }"#,
        says: #"""
          consumers.json:1:52: error: found false, expected a program and its arguments [bad-value]
            fix: write the command as it is run: ["python3", "client.py"]
          """#),
      .consumers(
        "a command with errors of its own",
        #"{ "things.get": { "upstreams": ["api"], "command": ["true"], "errors": {} } }"#,
        says: #"""
          consumers.json:1:72: error: found "errors" beside "command", expected it for a service [conflicting-keys]
            fix: remove one of the two
          """#),
      .consumers(
        "a command in an executable",
        #"{ "things.get": { "upstreams": ["api"], "command": ["true"], "in": "tool" } }"#,
        says: #"""
          consumers.json:1:68: error: found "in" beside "command", expected it for a service [conflicting-keys]
            fix: remove one of the two
          """#),
      .consumers(
        "a variable that cannot be passed on",
        #"{ "things.get": { "upstreams": ["api"], "command": ["true"], "environment": ["A B", "API_TOKEN"] } }"#,
        says: #"""
          consumers.json:1:78: error: found "A B", expected the name of a variable, such as "JAVA_HOME" [bad-value]
          consumers.json:1:85: error: found "API_TOKEN", expected a variable that is not a credential by its name [bad-value]
            fix: remove it: consumers get no credentials, and responses come from the fake
          """#),
      .consumers(
        "sources that are elsewhere",
        #"{ "things.get": { "upstreams": ["api"], "command": ["true"], "sources": ["src", "../x", "/y"] } }"#,
        says: #"""
          consumers.json:1:81: error: found "../x", expected a file or folder below the one that the contracts folder is in, such as "src" [bad-value]
          consumers.json:1:89: error: found "/y", expected a file or folder below the one that the contracts folder is in, such as "src" [bad-value]
          """#),
      .consumers(
        "sources of a service",
        #"{ "things.get": { "upstreams": ["api"], "errors": {}, "sources": ["src"] } }"#,
        says: #"""
          consumers.json:1:66: error: found "sources" without "command", expected it for a command [conflicting-keys]
            fix: remove it: a service shows what it reads by itself
          """#),
      .consumers(
        "a service in what is no executable",
        #"{ "things.get": { "upstreams": ["api"], "in": "bin/tool", "errors": {} } }"#,
        says: #"""
          consumers.json:1:47: error: found "bin/tool", expected the name of an executable, such as "showcase" [bad-value]
          """#),
    ]

  private static func command(_ name: String, _ expectation: String, says: String) -> Complaint {
    .files(
      name,
      [
        "consumers.json": #"""
        { "things.get": { "upstreams": ["api"], "errors": {} },
          "api-cli": { "upstreams": ["api"], "command": ["true"] } }
        """#,
        "api/thing.json": Sample.contract(
          cases: #""it": { "like": "ok", "expect": { "api-cli": { \#(expectation) } } }"#),
      ], says: says)
  }
}
