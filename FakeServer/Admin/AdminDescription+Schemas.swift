extension AdminDescription {
  static let schemas = #"""
        "schemas": {
          "Problem": {
            "type": "object",
            "required": ["title", "status", "detail"],
            "properties": {
              "title": { "type": "string" },
              "status": { "type": "integer" },
              "detail": { "type": "string" },
              "fix": { "type": "string" },
              "line": { "type": "integer", "description": "In the body." },
              "column": { "type": "integer" }
            },
            "additionalProperties": false
          },
          "Contracts": {
            "type": "object",
            "required": ["contracts", "scenarios"],
            "properties": {
              "contracts": {
                "type": "array",
                "items": { "$ref": "#/components/schemas/Contract" }
              },
              "scenarios": {
                "type": "array",
                "items": {
                  "type": "object",
                  "required": ["upstream", "name", "summary"],
                  "properties": {
                    "upstream": { "type": "string" },
                    "name": { "type": "string" },
                    "summary": { "type": ["string", "null"] }
                  },
                  "additionalProperties": false
                }
              }
            },
            "additionalProperties": false
          },
          "Contract": {
            "type": "object",
            "required": ["id", "summary", "method", "path", "case", "reason", "cases", "scripts"],
            "properties": {
              "id": { "type": "string", "description": "upstream/name" },
              "summary": { "type": ["string", "null"] },
              "method": { "type": "string" },
              "path": { "type": "string" },
              "case": {
                "type": "string",
                "description": "What a request without anything special plays now."
              },
              "reason": { "enum": ["script", "hand", "trigger", "default"] },
              "cases": {
                "type": "array",
                "minItems": 1,
                "items": {
                  "type": "object",
                  "required": ["name", "summary", "status", "kind"],
                  "properties": {
                    "name": { "type": "string" },
                    "summary": { "type": ["string", "null"] },
                    "status": { "type": ["integer", "null"] },
                    "kind": { "enum": ["good", "malformed", "slow", "broken"] }
                  },
                  "additionalProperties": false
                }
              },
              "scripts": { "type": "array", "items": { "type": "string" } }
            },
            "additionalProperties": false
          },
          "State": {
            "type": "object",
            "required": ["state"],
            "properties": {
              "state": {
                "type": "object",
                "description": "Named strings by upstream.",
                "additionalProperties": {
                  "type": "object",
                  "additionalProperties": { "type": "string" }
                }
              }
            },
            "additionalProperties": false
          },
          "Received": {
            "type": "object",
            "required": [
              "sequence",
              "time",
              "method",
              "path",
              "query",
              "headers",
              "bodyBytes",
              "session",
              "contract",
              "case",
              "reason",
              "status",
              "delayAskedMs",
              "delayGivenMs",
              "sentBytes",
              "outcome"
            ],
            "properties": {
              "sequence": {
                "type": "integer",
                "minimum": 1,
                "description": "Grows from one request to the next."
              },
              "time": {
                "type": "string",
                "format": "date-time",
                "description": "When the request was complete."
              },
              "method": { "type": "string" },
              "path": {
                "type": "string",
                "description": "Without session and query, as it was sent."
              },
              "query": { "type": ["string", "null"] },
              "headers": {
                "type": "array",
                "items": {
                  "type": "object",
                  "required": ["name", "value"],
                  "properties": { "name": { "type": "string" }, "value": { "type": "string" } },
                  "additionalProperties": false
                }
              },
              "body": { "type": "string", "description": "As much as the journal keeps." },
              "bodyBase64": {
                "type": "string",
                "description": "Instead of body, when that is no UTF-8."
              },
              "bodyBytes": {
                "type": "integer",
                "minimum": 0,
                "description": "Of the whole body."
              },
              "session": { "type": "string", "description": "Empty for the main one." },
              "contract": {
                "type": ["string", "null"],
                "description": "upstream/name; null when none answered."
              },
              "case": { "type": ["string", "null"] },
              "reason": {
                "enum": ["preference", "script", "hand", "trigger", "default", null],
                "description": "What chose the case."
              },
              "status": { "type": ["integer", "null"] },
              "delayAskedMs": { "type": "number", "minimum": 0 },
              "delayGivenMs": {
                "type": "number",
                "minimum": 0,
                "description": "From the complete request to the first byte of the answer."
              },
              "sentBytes": { "type": "integer", "minimum": 0 },
              "outcome": { "$ref": "#/components/schemas/Outcome" }
            },
            "oneOf": [{ "required": ["body"] }, { "required": ["bodyBase64"] }]
          },
          "Entry": {
            "$ref": "#/components/schemas/Received",
            "unevaluatedProperties": false
          },
          "UnmatchedEntry": {
            "$ref": "#/components/schemas/Received",
            "required": ["nearest"],
            "properties": {
              "nearest": {
                "type": "array",
                "items": {
                  "type": "object",
                  "required": ["contract", "request", "differences"],
                  "properties": {
                    "contract": { "type": "string" },
                    "request": { "type": "string" },
                    "differences": {
                      "type": "array",
                      "items": { "type": "string" },
                      "minItems": 1
                    }
                  },
                  "additionalProperties": false
                }
              }
            },
            "unevaluatedProperties": false
          },
          "Outcome": {
            "enum": [
              "underWay", "answered", "cutOff", "reset", "stalled", "clientLeft", "cancelled"
            ]
          },
          "RequestPattern": {
            "type": "object",
            "description": "As under request in a contract; the path is the one sent to the \#
    server, without session.",
            "required": ["method", "path"],
            "properties": {
              "method": { "type": "string" },
              "path": { "type": "string" },
              "also": { "type": "array", "items": { "type": "string" } },
              "parameters": { "type": "object" },
              "body": { "type": "object" }
            },
            "additionalProperties": false
          }
        }
    """#
}
