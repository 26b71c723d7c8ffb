extension Complaint {
  /// What can be wrong with a body in a file of its own.
  static let bodyFiles: [Complaint] = [
    .files(
      "a schema of a file that is not JSON",
      [
        "api/files/a.json": "[1,\n  2",
        "api/thing.json": Sample.contract(
          cases: #""it": { "status": 200, "schema": {}, "file": "files/a.json" }"#),
      ],
      says: #"""
        api/thing.json:5:46: error: files/a.json has a schema, but is not valid JSON: at 2:4 found the end of the text, expected "," or "]" for the array opened at 1:1 [schema-mismatch]
          fix: correct the file, or remove the schema
        """#),
    .files(
      "a file that breaks its schema",
      [
        "api/files/a.json": "[1,\n  \"2\"]",
        "api/thing.json": Sample.contract(
          cases: """
            "it": { "status": 200, "file": "files/a.json", "schema": { "items": { "type": "integer" } } }
            """),
      ],
      says: #"""
        api/thing.json:5:32: error: files/a.json:2:3: found string "2", expected integer: the body does not match its schema [schema-mismatch]
          fix: correct the body or the schema at 5:58
        """#),
  ]
}
