extension AdminDescription {
  static let contractPaths = #"""
        "/health": {
          "get": {
            "operationId": "getHealth",
            "summary": "Whether the server is up",
            "responses": {
              "200": {
                "description": "It is.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "required": ["status"],
                      "properties": { "status": { "const": "ok" } },
                      "additionalProperties": false
                    }
                  }
                }
              },
              "4XX": { "$ref": "#/components/responses/Problem" }
            }
          }
        },
        "/version": {
          "get": {
            "operationId": "getVersion",
            "summary": "What server this is",
            "responses": {
              "200": {
                "description": "Its name and version.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "required": ["name", "version"],
                      "properties": {
                        "name": { "const": "understudy" },
                        "version": { "type": "string" }
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
        "/openapi.json": {
          "get": {
            "operationId": "getDescription",
            "summary": "This document",
            "responses": {
              "200": {
                "description": "An OpenAPI document.",
                "content": { "application/json": { "schema": { "type": "object" } } }
              },
              "4XX": { "$ref": "#/components/responses/Problem" }
            }
          }
        },
        "/contracts": {
          "get": {
            "operationId": "listContracts",
            "summary": "Every contract with its cases and the one in force, and every scenario",
            "responses": {
              "200": {
                "description": "All there are.",
                "content": {
                  "application/json": { "schema": { "$ref": "#/components/schemas/Contracts" } }
                }
              },
              "4XX": { "$ref": "#/components/responses/Problem" }
            }
          }
        },
        "/contracts/{upstream}/{contract}": {
          "parameters": [
            { "$ref": "#/components/parameters/upstreamName" },
            { "$ref": "#/components/parameters/contractName" }
          ],
          "get": {
            "operationId": "getContract",
            "summary": "One contract with its cases and the one in force",
            "responses": {
              "200": { "$ref": "#/components/responses/Contract" },
              "4XX": { "$ref": "#/components/responses/Problem" }
            }
          }
        },
        "/contracts/{upstream}/{contract}/case": {
          "parameters": [
            { "$ref": "#/components/parameters/upstreamName" },
            { "$ref": "#/components/parameters/contractName" }
          ],
          "put": {
            "operationId": "chooseCase",
            "summary": "Let every request to the contract play this case",
            "requestBody": {
              "required": true,
              "content": {
                "application/json": {
                  "schema": {
                    "type": "object",
                    "required": ["case"],
                    "properties": { "case": { "type": "string" } },
                    "additionalProperties": false
                  }
                }
              }
            },
            "responses": {
              "200": { "$ref": "#/components/responses/Contract" },
              "4XX": { "$ref": "#/components/responses/Problem" }
            }
          },
          "delete": {
            "operationId": "clearCase",
            "summary": "Let the contract play what it does by itself",
            "responses": {
              "200": { "$ref": "#/components/responses/Contract" },
              "4XX": { "$ref": "#/components/responses/Problem" }
            }
          }
        },
        "/contracts/{upstream}/{contract}/script": {
          "parameters": [
            { "$ref": "#/components/parameters/upstreamName" },
            { "$ref": "#/components/parameters/contractName" }
          ],
          "post": {
            "operationId": "startScript",
            "summary": "Play cases one after the other, the last again and again",
            "requestBody": {
              "required": true,
              "content": {
                "application/json": {
                  "schema": {
                    "description": "Either the name of one of the contract's scripts, or cases.",
                    "oneOf": [
                      {
                        "type": "object",
                        "required": ["script"],
                        "properties": { "script": { "type": "string" } },
                        "additionalProperties": false
                      },
                      {
                        "type": "object",
                        "required": ["cases"],
                        "properties": {
                          "cases": {
                            "type": "array",
                            "minItems": 1,
                            "items": { "type": "string" }
                          }
                        },
                        "additionalProperties": false
                      }
                    ]
                  }
                }
              }
            },
            "responses": {
              "200": { "$ref": "#/components/responses/Contract" },
              "4XX": { "$ref": "#/components/responses/Problem" }
            }
          }
        },
        "/scenarios/{upstream}/{scenario}": {
          "post": {
            "operationId": "startScenario",
            "summary": "Start the scripts of a scenario and set its state",
            "parameters": [
              { "$ref": "#/components/parameters/upstreamName" },
              {
                "name": "scenario",
                "in": "path",
                "required": true,
                "description": "The name of a scenario of the upstream.",
                "schema": { "type": "string" }
              }
            ],
            "responses": {
              "204": { "$ref": "#/components/responses/Done" },
              "4XX": { "$ref": "#/components/responses/Problem" }
            }
          }
        }
    """#
}
