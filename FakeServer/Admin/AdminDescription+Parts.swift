extension AdminDescription {
  static let parts = #"""
        "securitySchemes": {
          "adminToken": {
            "type": "http",
            "scheme": "bearer",
            "description": "Asked for when the server was started with one."
          }
        },
        "responses": {
          "Problem": {
            "description": "Why not.",
            "content": {
              "application/problem+json": {
                "schema": { "$ref": "#/components/schemas/Problem" }
              }
            }
          },
          "Contract": {
            "description": "The contract as it is now.",
            "content": {
              "application/json": { "schema": { "$ref": "#/components/schemas/Contract" } }
            }
          },
          "Done": { "description": "Done." },
          "State": {
            "description": "All that is set now.",
            "content": {
              "application/json": { "schema": { "$ref": "#/components/schemas/State" } }
            }
          }
        },
        "parameters": {
          "contract": {
            "name": "contract",
            "in": "query",
            "description": "upstream/name",
            "schema": { "type": "string" }
          },
          "case": {
            "name": "case",
            "in": "query",
            "description": "The name of a case.",
            "schema": { "type": "string" }
          },
          "method": {
            "name": "method",
            "in": "query",
            "description": "In capitals.",
            "schema": { "type": "string" }
          },
          "path": {
            "name": "path",
            "in": "query",
            "description": "What the path begins with, without session.",
            "schema": { "type": "string" }
          },
          "status": {
            "name": "status",
            "in": "query",
            "description": "The status answered.",
            "schema": { "type": "integer" }
          },
          "outcome": {
            "name": "outcome",
            "in": "query",
            "description": "What became of the request.",
            "schema": { "$ref": "#/components/schemas/Outcome" }
          },
          "session": {
            "name": "session",
            "in": "query",
            "description": "Empty for the main one; not beside a session in the path.",
            "schema": { "type": "string" }
          },
          "unmatched": {
            "name": "unmatched",
            "in": "query",
            "description": "Only those that no contract answered.",
            "schema": { "type": "boolean" }
          },
          "since": {
            "name": "since",
            "in": "query",
            "description": "Only those after the one with this number.",
            "schema": { "type": "integer", "minimum": 0 }
          },
          "limit": {
            "name": "limit",
            "in": "query",
            "description": "Only so many of the newest.",
            "schema": { "type": "integer", "minimum": 0 }
          },
          "upstreamName": {
            "name": "upstream",
            "in": "path",
            "required": true,
            "description": "The name of an upstream: its folder.",
            "schema": { "type": "string" }
          },
          "contractName": {
            "name": "contract",
            "in": "path",
            "required": true,
            "description": "The name of a contract: its file, without .json.",
            "schema": { "type": "string" }
          }
        }
    """#
}
