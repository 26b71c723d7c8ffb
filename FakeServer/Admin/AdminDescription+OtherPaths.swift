extension AdminDescription {
  static let otherPaths = #"""
        "/state": {
          "get": {
            "operationId": "getState",
            "summary": "The state",
            "responses": {
              "200": { "$ref": "#/components/responses/State" },
              "4XX": { "$ref": "#/components/responses/Problem" }
            }
          },
          "put": {
            "operationId": "setState",
            "summary": "Set some of the state and keep the rest",
            "requestBody": {
              "required": true,
              "content": {
                "application/json": { "schema": { "$ref": "#/components/schemas/State" } }
              }
            },
            "responses": {
              "200": { "$ref": "#/components/responses/State" },
              "4XX": { "$ref": "#/components/responses/Problem" }
            }
          },
          "delete": {
            "operationId": "clearState",
            "summary": "Forget the state",
            "responses": {
              "204": { "$ref": "#/components/responses/Done" },
              "4XX": { "$ref": "#/components/responses/Problem" }
            }
          }
        },
        "/sessions": {
          "get": {
            "operationId": "listSessions",
            "summary": "The sessions that were used, but for the main one",
            "responses": {
              "200": {
                "description": "Their names, sorted.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "required": ["sessions"],
                      "properties": {
                        "sessions": { "type": "array", "items": { "type": "string" } }
                      },
                      "additionalProperties": false
                    }
                  }
                }
              },
              "4XX": { "$ref": "#/components/responses/Problem" }
            }
          }
        },
        "/sessions/{session}": {
          "delete": {
            "operationId": "deleteSession",
            "summary": "Reset a session and forget it",
            "parameters": [
              {
                "name": "session",
                "in": "path",
                "required": true,
                "description": "Its name.",
                "schema": { "type": "string" }
              }
            ],
            "responses": {
              "204": { "$ref": "#/components/responses/Done" },
              "4XX": { "$ref": "#/components/responses/Problem" }
            }
          }
        },
        "/journal": {
          "get": {
            "operationId": "listJournal",
            "summary": "The requests that were received, the oldest first",
            "parameters": \#(journalParameters),
            "responses": {
              "200": {
                "description": "Those selected.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "required": ["requests"],
                      "properties": {
                        "requests": {
                          "type": "array",
                          "items": { "$ref": "#/components/schemas/Entry" }
                        }
                      },
                      "additionalProperties": false
                    }
                  }
                }
              },
              "4XX": { "$ref": "#/components/responses/Problem" }
            }
          },
          "delete": {
            "operationId": "clearJournal",
            "summary": "Forget the requests",
            "responses": {
              "204": { "$ref": "#/components/responses/Done" },
              "4XX": { "$ref": "#/components/responses/Problem" }
            }
          }
        },
        "/journal/count": {
          "parameters": \#(journalParameters),
          "post": {
            "operationId": "countJournal",
            "summary": "How many requests are as a contract's request could say",
            "requestBody": {
              "required": true,
              "content": {
                "application/json": {
                  "schema": { "$ref": "#/components/schemas/RequestPattern" }
                }
              }
            },
            "responses": {
              "200": {
                "description": "How many.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "required": ["count"],
                      "properties": { "count": { "type": "integer", "minimum": 0 } },
                      "additionalProperties": false
                    }
                  }
                }
              },
              "4XX": { "$ref": "#/components/responses/Problem" }
            }
          }
        },
        "/journal/unmatched": {
          "parameters": \#(journalParameters),
          "get": {
            "operationId": "listUnmatched",
            "summary": "The requests that no contract answered, with the nearest contracts and \#
    what differed",
            "responses": {
              "200": {
                "description": "Those selected.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "required": ["requests"],
                      "properties": {
                        "requests": {
                          "type": "array",
                          "items": { "$ref": "#/components/schemas/UnmatchedEntry" }
                        }
                      },
                      "additionalProperties": false
                    }
                  }
                }
              },
              "4XX": { "$ref": "#/components/responses/Problem" }
            }
          }
        },
        "/reset": {
          "post": {
            "operationId": "reset",
            "summary": "As at the start: nothing chosen, no state, no journal, and what is under \#
    way is broken off",
            "responses": {
              "204": { "$ref": "#/components/responses/Done" },
              "4XX": { "$ref": "#/components/responses/Problem" }
            }
          }
        },
        "/shutdown": {
          "post": {
            "operationId": "shutdown",
            "summary": "End the server",
            "responses": {
              "202": {
                "description": "It is about to end.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "required": ["status"],
                      "properties": { "status": { "const": "ending" } },
                      "additionalProperties": false
                    }
                  }
                }
              },
              "4XX": { "$ref": "#/components/responses/Problem" },
              "501": { "$ref": "#/components/responses/Problem" }
            }
          }
        }
    """#

  /// Those by which what is meant of a journal is selected.
  private static var journalParameters: String {
    let references = Admin.parameters.map { ##"{ "$ref": "#/components/parameters/\##($0)" }"## }
    return "[\(references.joined(separator: ", "))]"
  }
}
