// swift-format-ignore-file
// Written by ci/generate. To change it, edit FakeServer/Admin/openapi.json and run that again.

enum AdminDescription {
  static let text = #"""
{
  "openapi": "3.1.0",
  "info": {
    "title": "Understudy admin API",
    "version": "1",
    "description": "Controls a running fake server and reports what it received. A session before the path, /~worker-3/__understudy/…, limits every operation to that session. Without one, cases, scripts and state are those of the main session; the request log and reset cover the whole server."
  },
  "servers": [
    { "url": "/__understudy" },
    {
      "url": "/~{session}/__understudy",
      "description": "Limited to one session.",
      "variables": { "session": { "default": "worker-1" } }
    }
  ],
  "security": [{}, { "adminToken": [] }],
  "paths": {
    "/health": {
      "get": {
        "operationId": "getHealth",
        "summary": "Whether the server is up",
        "responses": {
          "200": {
            "description": "The server is up.",
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
        "summary": "The server's name and version",
        "responses": {
          "200": {
            "description": "The name and version.",
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
    "/contract.schema.json": {
      "get": {
        "operationId": "getContractSchema",
        "summary": "The JSON schema of contracts, for editors",
        "responses": {
          "200": {
            "description": "The schema.",
            "content": { "application/json": { "schema": { "type": "object" } } }
          },
          "4XX": { "$ref": "#/components/responses/Problem" }
        }
      }
    },
    "/contracts": {
      "get": {
        "operationId": "listContracts",
        "summary": "Every upstream with its base URL, every contract with its cases and its current case, and every scenario",
        "responses": {
          "200": {
            "description": "All upstreams, contracts and scenarios.",
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
        "summary": "One contract with its cases and its current case",
        "responses": {
          "200": { "$ref": "#/components/responses/Contract" },
          "4XX": { "$ref": "#/components/responses/Problem" }
        }
      },
      "put": {
        "operationId": "putContract",
        "summary": "Make a contract, or replace it, until a reset",
        "description": "It responds before the contracts of files. The body is what a file would have, without bodies from other files. Under a session it responds only to the clients of that session.",
        "requestBody": {
          "required": true,
          "content": { "application/json": { "schema": { "type": "object" } } }
        },
        "responses": {
          "200": { "$ref": "#/components/responses/Contract" },
          "201": { "$ref": "#/components/responses/Contract" },
          "4XX": { "$ref": "#/components/responses/Problem" },
          "5XX": { "$ref": "#/components/responses/Problem" }
        }
      },
      "delete": {
        "operationId": "deleteContract",
        "summary": "Remove a contract that was made with PUT",
        "responses": {
          "204": { "$ref": "#/components/responses/Done" },
          "4XX": { "$ref": "#/components/responses/Problem" }
        }
      }
    },
    "/contracts/{upstream}/{contract}/check": {
      "parameters": [
        { "$ref": "#/components/parameters/upstreamName" },
        { "$ref": "#/components/parameters/contractName" }
      ],
      "post": {
        "operationId": "checkContract",
        "summary": "Say what is wrong with the text of a contract",
        "description": "The body is what PUT would take. Nothing of it is served.",
        "requestBody": {
          "required": true,
          "content": { "application/json": { "schema": {} } }
        },
        "responses": {
          "200": {
            "description": "What is wrong, in the order of lines; empty for a contract that PUT would take.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["diagnostics"],
                  "properties": {
                    "diagnostics": {
                      "type": "array",
                      "items": { "$ref": "#/components/schemas/Diagnostic" }
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
    "/contracts/{upstream}/{contract}/save": {
      "parameters": [
        { "$ref": "#/components/parameters/upstreamName" },
        { "$ref": "#/components/parameters/contractName" }
      ],
      "post": {
        "operationId": "saveContract",
        "summary": "Write a contract that was made with PUT to its file",
        "description": "Only for a server started with --allow-save. A file that has changed since the contract was made stays as it is: 409.",
        "responses": {
          "200": {
            "description": "The file.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["file"],
                  "properties": { "file": { "type": "string" } },
                  "additionalProperties": false
                }
              }
            }
          },
          "4XX": { "$ref": "#/components/responses/Problem" },
          "5XX": { "$ref": "#/components/responses/Problem" }
        }
      }
    },
    "/contracts/{upstream}/{contract}/source": {
      "parameters": [
        { "$ref": "#/components/parameters/upstreamName" },
        { "$ref": "#/components/parameters/contractName" }
      ],
      "get": {
        "operationId": "getSource",
        "summary": "The text of a contract: as it was made, or as its file has it now",
        "responses": {
          "200": {
            "description": "The text.",
            "content": { "application/json": { "schema": {} } }
          },
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
        "summary": "Serve this case from now on",
        "description": "It takes the place of the default case. Requests that another case's when takes keep theirs. A case that is like one with request conditions, and has none itself, takes the place of that one.",
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
        "summary": "Clear the chosen case",
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
        "summary": "Serve cases in order; the last repeats",
        "description": "Each request gets the next one. Once the last repeats, requests that another case's when takes keep theirs.",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "description": "Either the name of a script of the contract, or cases.",
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
    "/contracts/{upstream}/{contract}/hold": {
      "parameters": [
        { "$ref": "#/components/parameters/upstreamName" },
        { "$ref": "#/components/parameters/contractName" }
      ],
      "put": {
        "operationId": "holdContract",
        "summary": "Hold the responses of the contract until they are released",
        "responses": {
          "200": { "$ref": "#/components/responses/Contract" },
          "4XX": { "$ref": "#/components/responses/Problem" }
        }
      },
      "delete": {
        "operationId": "endHold",
        "summary": "Release the held responses of the contract and hold no more",
        "responses": {
          "200": { "$ref": "#/components/responses/Contract" },
          "4XX": { "$ref": "#/components/responses/Problem" }
        }
      }
    },
    "/held": {
      "get": {
        "operationId": "listHeld",
        "summary": "The requests whose responses are held, oldest first",
        "responses": {
          "200": {
            "description": "The held responses.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["held"],
                  "properties": {
                    "held": { "type": "array", "items": { "$ref": "#/components/schemas/Held" } }
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
    "/held/{id}": {
      "parameters": [{ "$ref": "#/components/parameters/heldID" }],
      "delete": {
        "operationId": "dropHeld",
        "summary": "Reset the connection of a held response",
        "responses": {
          "204": { "$ref": "#/components/responses/Done" },
          "4XX": { "$ref": "#/components/responses/Problem" }
        }
      }
    },
    "/held/{id}/release": {
      "parameters": [{ "$ref": "#/components/parameters/heldID" }],
      "post": {
        "operationId": "releaseHeld",
        "summary": "Release a held response, as it would have been or with another case",
        "requestBody": {
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "required": ["case"],
                "properties": {
                  "case": { "type": "string", "description": "A case of the same contract." }
                },
                "additionalProperties": false
              }
            }
          }
        },
        "responses": {
          "204": { "$ref": "#/components/responses/Done" },
          "4XX": { "$ref": "#/components/responses/Problem" },
          "500": { "$ref": "#/components/responses/Problem" },
          "507": { "$ref": "#/components/responses/Problem" }
        }
      }
    },
    "/scenarios/{upstream}/{scenario}": {
      "post": {
        "operationId": "startScenario",
        "summary": "Start the scripts of a scenario and set its state and modes",
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
          "4XX": { "$ref": "#/components/responses/Problem" },
          "5XX": { "$ref": "#/components/responses/Problem" }
        }
      }
    },
    "/mode": {
      "put": {
        "operationId": "setMode",
        "summary": "Serve contracts, the live APIs or nothing",
        "description": "Only what has no mode of its own follows it: the mode of a contract precedes that of its upstream, which precedes that of the server. The modes of a session precede those of the main session.",
        "requestBody": { "$ref": "#/components/requestBodies/Mode" },
        "responses": {
          "200": { "$ref": "#/components/responses/Mode" },
          "4XX": { "$ref": "#/components/responses/Problem" },
          "5XX": { "$ref": "#/components/responses/Problem" }
        }
      },
      "delete": {
        "operationId": "clearMode",
        "summary": "Clear the mode of the server",
        "responses": {
          "200": { "$ref": "#/components/responses/Mode" },
          "4XX": { "$ref": "#/components/responses/Problem" },
          "5XX": { "$ref": "#/components/responses/Problem" }
        }
      }
    },
    "/upstreams/{upstream}/mode": {
      "parameters": [{ "$ref": "#/components/parameters/upstreamName" }],
      "put": {
        "operationId": "setUpstreamMode",
        "summary": "Serve the contracts of an upstream, its live API or nothing",
        "description": "live passes on every path below the base URL, also those that no contract has, and records nothing. off resets connections; a port of its own refuses them, if the upstream is off for clients without a session.",
        "requestBody": { "$ref": "#/components/requestBodies/Mode" },
        "responses": {
          "200": { "$ref": "#/components/responses/Upstream" },
          "4XX": { "$ref": "#/components/responses/Problem" },
          "5XX": { "$ref": "#/components/responses/Problem" }
        }
      },
      "delete": {
        "operationId": "clearUpstreamMode",
        "summary": "Clear the mode of an upstream",
        "responses": {
          "200": { "$ref": "#/components/responses/Upstream" },
          "4XX": { "$ref": "#/components/responses/Problem" },
          "5XX": { "$ref": "#/components/responses/Problem" }
        }
      }
    },
    "/contracts/{upstream}/{contract}/mode": {
      "parameters": [
        { "$ref": "#/components/parameters/upstreamName" },
        { "$ref": "#/components/parameters/contractName" }
      ],
      "put": {
        "operationId": "setContractMode",
        "summary": "Serve a contract, the live API in its place or nothing",
        "description": "It precedes the mode of the upstream.",
        "requestBody": { "$ref": "#/components/requestBodies/Mode" },
        "responses": {
          "200": { "$ref": "#/components/responses/Contract" },
          "4XX": { "$ref": "#/components/responses/Problem" },
          "5XX": { "$ref": "#/components/responses/Problem" }
        }
      },
      "delete": {
        "operationId": "clearContractMode",
        "summary": "Clear the mode of a contract",
        "responses": {
          "200": { "$ref": "#/components/responses/Contract" },
          "4XX": { "$ref": "#/components/responses/Problem" },
          "5XX": { "$ref": "#/components/responses/Problem" }
        }
      }
    },
    "/recording": {
      "get": {
        "operationId": "getRecording",
        "summary": "Whether the session is recording",
        "responses": {
          "200": {
            "description": "Whether it is, and whether clients may start and stop it.",
            "content": {
              "application/json": { "schema": { "$ref": "#/components/schemas/Recording" } }
            }
          },
          "4XX": { "$ref": "#/components/responses/Problem" }
        }
      }
    },
    "/recording/start": {
      "post": {
        "operationId": "startRecording",
        "summary": "Forward requests to live APIs, to record the responses",
        "description": "Only for a server started with --allow-save. Of the session's requests, those that no contract matches are forwarded. A target is never the server itself, nor a link-local or unspecified address. 409 if a recording is under way.",
        "requestBody": {
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "properties": {
                  "upstreams": {
                    "type": "object",
                    "description": "The upstreams to record: the URL of a new one by its name, or null for one that exists. Default: all that have a live API.",
                    "minProperties": 1,
                    "additionalProperties": { "type": ["string", "null"] }
                  },
                  "all": {
                    "type": "boolean",
                    "description": "Whether requests that a contract matches are forwarded, too."
                  }
                },
                "additionalProperties": false
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The upstreams that are recorded, with their live APIs.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["status", "upstreams"],
                  "properties": {
                    "status": { "const": "recording" },
                    "upstreams": {
                      "type": "object",
                      "additionalProperties": { "type": "string" }
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
    "/recording/stop": {
      "post": {
        "operationId": "stopRecording",
        "summary": "Stop recording, and write contracts of what was forwarded",
        "description": "As serve --record writes them. The event reloaded follows once they are served. 409 if no recording is under way.",
        "responses": {
          "200": { "$ref": "#/components/responses/Recorded" },
          "4XX": { "$ref": "#/components/responses/Problem" }
        }
      }
    },
    "/recording/snapshot": {
      "post": {
        "operationId": "takeSnapshot",
        "summary": "Write contracts of the requests in the request log that were forwarded",
        "description": "Those of a recording, and those that the mode live passed on. A recording goes on.",
        "responses": {
          "200": { "$ref": "#/components/responses/Recorded" },
          "4XX": { "$ref": "#/components/responses/Problem" }
        }
      }
    },
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
        "summary": "Set part of the state and keep the rest",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": { "schema": { "$ref": "#/components/schemas/StateChange" } }
          }
        },
        "responses": {
          "200": { "$ref": "#/components/responses/State" },
          "4XX": { "$ref": "#/components/responses/Problem" }
        }
      },
      "delete": {
        "operationId": "clearState",
        "summary": "Return to the state that sessions begin with",
        "responses": {
          "204": { "$ref": "#/components/responses/Done" },
          "4XX": { "$ref": "#/components/responses/Problem" }
        }
      }
    },
    "/sessions": {
      "get": {
        "operationId": "listSessions",
        "summary": "The sessions in use, without the main one",
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
        "summary": "Reset a session and delete it",
        "parameters": [
          {
            "name": "session",
            "in": "path",
            "required": true,
            "description": "The session's name.",
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
        "summary": "The received requests, oldest first, or the first to come",
        "parameters": [
          { "$ref": "#/components/parameters/contract" },
          { "$ref": "#/components/parameters/case" },
          { "$ref": "#/components/parameters/method" },
          { "$ref": "#/components/parameters/path" },
          { "$ref": "#/components/parameters/status" },
          { "$ref": "#/components/parameters/outcome" },
          { "$ref": "#/components/parameters/callback" },
          { "$ref": "#/components/parameters/session" },
          { "$ref": "#/components/parameters/unmatched" },
          { "$ref": "#/components/parameters/sequence" },
        { "$ref": "#/components/parameters/since" },
          { "$ref": "#/components/parameters/limit" },
          { "$ref": "#/components/parameters/wait" },
          { "$ref": "#/components/parameters/unmasked" }
        ],
        "responses": {
          "200": {
            "description": "The selected requests.",
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
        "summary": "Delete the requests",
        "responses": {
          "204": { "$ref": "#/components/responses/Done" },
          "4XX": { "$ref": "#/components/responses/Problem" }
        }
      }
    },
    "/journal.har": {
      "get": {
        "operationId": "archiveJournal",
        "summary": "The received requests as a HAR 1.2, oldest first",
        "parameters": [
          { "$ref": "#/components/parameters/contract" },
          { "$ref": "#/components/parameters/case" },
          { "$ref": "#/components/parameters/method" },
          { "$ref": "#/components/parameters/path" },
          { "$ref": "#/components/parameters/status" },
          { "$ref": "#/components/parameters/outcome" },
          { "$ref": "#/components/parameters/callback" },
          { "$ref": "#/components/parameters/session" },
          { "$ref": "#/components/parameters/unmatched" },
          { "$ref": "#/components/parameters/sequence" },
        { "$ref": "#/components/parameters/since" },
          { "$ref": "#/components/parameters/limit" }
        ],
        "responses": {
          "200": {
            "description": "The selected requests. Bodies of responses come from the contracts as they are now; those that depend on the request are missing.",
            "content": {
              "application/json": { "schema": { "$ref": "#/components/schemas/Archive" } }
            }
          },
          "4XX": { "$ref": "#/components/responses/Problem" }
        }
      }
    },
    "/journal/count": {
      "parameters": [
        { "$ref": "#/components/parameters/contract" },
        { "$ref": "#/components/parameters/case" },
        { "$ref": "#/components/parameters/method" },
        { "$ref": "#/components/parameters/path" },
        { "$ref": "#/components/parameters/status" },
        { "$ref": "#/components/parameters/outcome" },
        { "$ref": "#/components/parameters/callback" },
        { "$ref": "#/components/parameters/session" },
        { "$ref": "#/components/parameters/unmatched" },
        { "$ref": "#/components/parameters/sequence" },
        { "$ref": "#/components/parameters/since" },
        { "$ref": "#/components/parameters/limit" }
      ],
      "post": {
        "operationId": "countJournal",
        "summary": "How many requests match a contract's request",
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
            "description": "The number of requests.",
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
    "/journal/served": {
      "parameters": [
        { "$ref": "#/components/parameters/contract" },
        { "$ref": "#/components/parameters/case" },
        { "$ref": "#/components/parameters/method" },
        { "$ref": "#/components/parameters/path" },
        { "$ref": "#/components/parameters/status" },
        { "$ref": "#/components/parameters/outcome" },
        { "$ref": "#/components/parameters/callback" },
        { "$ref": "#/components/parameters/session" },
        { "$ref": "#/components/parameters/unmatched" },
        { "$ref": "#/components/parameters/sequence" },
        { "$ref": "#/components/parameters/since" },
        { "$ref": "#/components/parameters/limit" }
      ],
      "get": {
        "operationId": "countServed",
        "summary": "How many requests each case has served",
        "responses": {
          "200": {
            "description": "The cases that have responded to selected requests.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["sequence", "cases"],
                  "properties": {
                    "sequence": {
                      "type": "integer",
                      "minimum": 0,
                      "description": "Of the last request that may be counted."
                    },
                    "cases": {
                      "type": "array",
                      "items": {
                        "type": "object",
                        "required": ["contract", "case", "count"],
                        "properties": {
                          "contract": { "type": "string", "description": "upstream/name" },
                          "case": { "type": "string" },
                          "count": { "type": "integer", "minimum": 1 }
                        },
                        "additionalProperties": false
                      }
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
    "/journal/{sequence}/record": {
      "parameters": [
        {
          "name": "sequence",
          "in": "path",
          "required": true,
          "description": "The number of a request.",
          "schema": { "type": "integer", "minimum": 1 }
        }
      ],
      "post": {
        "operationId": "recordRequest",
        "summary": "Send a request to the live API again, and record the response",
        "description": "Only for a server started with --record. The contract is written afterwards; the event reloaded follows.",
        "responses": {
          "200": {
            "description": "What the live API responded; status 502 where it could not be reached.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["upstream", "status"],
                  "properties": {
                    "upstream": { "type": "string" },
                    "status": { "type": "integer" }
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
    "/journal/unmatched": {
      "parameters": [
        { "$ref": "#/components/parameters/contract" },
        { "$ref": "#/components/parameters/case" },
        { "$ref": "#/components/parameters/method" },
        { "$ref": "#/components/parameters/path" },
        { "$ref": "#/components/parameters/status" },
        { "$ref": "#/components/parameters/outcome" },
        { "$ref": "#/components/parameters/callback" },
        { "$ref": "#/components/parameters/session" },
        { "$ref": "#/components/parameters/unmatched" },
        { "$ref": "#/components/parameters/sequence" },
        { "$ref": "#/components/parameters/since" },
        { "$ref": "#/components/parameters/limit" }
      ],
      "get": {
        "operationId": "listUnmatched",
        "summary": "The unmatched requests, with the nearest contracts and the differences",
        "responses": {
          "200": {
            "description": "The selected requests.",
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
    "/events": {
      "get": {
        "operationId": "listenToEvents",
        "summary": "What happens from now on, as server-sent events",
        "description": "Under a session: what happens in it, and modes and contracts of the main session.",
        "parameters": [
          {
            "name": "Last-Event-ID",
            "in": "header",
            "description": "Begin after the event with this id.",
            "schema": { "type": "integer", "minimum": 0 }
          }
        ],
        "responses": {
          "200": {
            "description": "Events without end. The data of each is JSON: the property of Events with the event's name.",
            "content": { "text/event-stream": { "schema": { "type": "string" } } }
          },
          "4XX": { "$ref": "#/components/responses/Problem" }
        }
      }
    },
    "/reset": {
      "post": {
        "operationId": "reset",
        "summary": "Return to the initial state: no chosen cases, modes or contracts made at run time, the state that sessions begin with, no request log; responses in progress are cut off",
        "responses": {
          "204": { "$ref": "#/components/responses/Done" },
          "4XX": { "$ref": "#/components/responses/Problem" }
        }
      }
    },
    "/shutdown": {
      "post": {
        "operationId": "shutdown",
        "summary": "Stop the server",
        "responses": {
          "202": {
            "description": "The server is stopping.",
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
  },
  "components": {
    "securitySchemes": {
      "adminToken": {
        "type": "http",
        "scheme": "bearer",
        "description": "Required when the server was started with a token."
      }
    },
    "requestBodies": {
      "Mode": {
        "required": true,
        "content": {
          "application/json": {
            "schema": {
              "type": "object",
              "required": ["mode"],
              "properties": { "mode": { "$ref": "#/components/schemas/Mode" } },
              "additionalProperties": false
            }
          }
        }
      }
    },
    "responses": {
      "Problem": {
        "description": "Why the request failed.",
        "content": {
          "application/problem+json": {
            "schema": { "$ref": "#/components/schemas/Problem" }
          }
        }
      },
      "Contract": {
        "description": "The contract after the change.",
        "content": {
          "application/json": { "schema": { "$ref": "#/components/schemas/Contract" } }
        }
      },
      "Upstream": {
        "description": "The upstream after the change.",
        "content": {
          "application/json": { "schema": { "$ref": "#/components/schemas/Upstream" } }
        }
      },
      "Mode": {
        "description": "The mode of the server after the change.",
        "content": {
          "application/json": {
            "schema": {
              "type": "object",
              "required": ["mode"],
              "properties": { "mode": { "$ref": "#/components/schemas/Mode" } },
              "additionalProperties": false
            }
          }
        }
      },
      "Recorded": {
        "description": "What was written, and what is not recorded.",
        "content": {
          "application/json": {
            "schema": {
              "type": "object",
              "required": ["requests", "files", "unrecorded"],
              "properties": {
                "requests": {
                  "type": "integer",
                  "description": "How many requests were forwarded."
                },
                "files": {
                  "type": "array",
                  "description": "The files that were written.",
                  "items": { "type": "string" }
                },
                "unrecorded": {
                  "type": "array",
                  "description": "Why something is not recorded.",
                  "items": {
                    "type": "object",
                    "required": ["message", "fix"],
                    "properties": {
                      "message": { "type": "string" },
                      "fix": { "type": ["string", "null"] }
                    },
                    "additionalProperties": false
                  }
                }
              },
              "additionalProperties": false
            }
          }
        }
      },
      "Done": { "description": "Done." },
      "State": {
        "description": "The whole state after the change.",
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
        "description": "In upper case.",
        "schema": { "type": "string" }
      },
      "path": {
        "name": "path",
        "in": "query",
        "description": "A prefix of the path, without the session.",
        "schema": { "type": "string" }
      },
      "status": {
        "name": "status",
        "in": "query",
        "description": "The status of the response.",
        "schema": { "type": "integer" }
      },
      "outcome": {
        "name": "outcome",
        "in": "query",
        "description": "The outcome of the request.",
        "schema": { "$ref": "#/components/schemas/Outcome" }
      },
      "callback": {
        "name": "callback",
        "in": "query",
        "description": "Only requests whose callback of this name is over, whatever came of it.",
        "schema": { "type": "string" }
      },
      "session": {
        "name": "session",
        "in": "query",
        "description": "Empty for the main session; not allowed with a session in the path.",
        "schema": { "type": "string" }
      },
      "unmatched": {
        "name": "unmatched",
        "in": "query",
        "description": "Only unmatched requests.",
        "schema": { "type": "boolean" }
      },
      "sequence": {
        "name": "sequence",
        "in": "query",
        "description": "Only the request with this sequence number.",
        "schema": { "type": "integer", "minimum": 0 }
      },
      "since": {
        "name": "since",
        "in": "query",
        "description": "Only requests after the one with this sequence number.",
        "schema": { "type": "integer", "minimum": 0 }
      },
      "limit": {
        "name": "limit",
        "in": "query",
        "description": "Only this many of the newest.",
        "schema": { "type": "integer", "minimum": 0 }
      },
      "wait": {
        "name": "wait",
        "in": "query",
        "description": "If no request is selected, wait for the first, at most this long: 500ms, 5s, up to 60s. The list is empty if none comes.",
        "schema": { "type": "string", "pattern": "^[0-9.]+(ms|s|m)$" }
      },
      "unmasked": {
        "name": "unmasked",
        "in": "query",
        "description": "Show secrets as they were sent, to clients on this machine only: the requests of the session in the path, or else of the main session.",
        "schema": { "type": "boolean" }
      },
      "upstreamName": {
        "name": "upstream",
        "in": "path",
        "required": true,
        "description": "The name of an upstream, which is its folder's name.",
        "schema": { "type": "string" }
      },
      "contractName": {
        "name": "contract",
        "in": "path",
        "required": true,
        "description": "The name of a contract, which is its file's name without .json.",
        "schema": { "type": "string" }
      },
      "heldID": {
        "name": "id",
        "in": "path",
        "required": true,
        "description": "The id of a held response, which is the sequence number of its request.",
        "schema": { "type": "integer", "minimum": 1 }
      }
    },
    "schemas": {
      "Archive": {
        "type": "object",
        "description": "An HTTP Archive, as browsers and proxies export it.",
        "required": ["log"],
        "properties": {
          "log": {
            "type": "object",
            "required": ["version", "creator", "pages", "entries"],
            "properties": {
              "version": { "const": "1.2" },
              "creator": {
                "type": "object",
                "required": ["name", "version"],
                "properties": { "name": { "const": "Understudy" }, "version": { "type": "string" } }
              },
              "pages": { "type": "array", "maxItems": 0 },
              "entries": {
                "type": "array",
                "items": {
                  "type": "object",
                  "required": ["startedDateTime", "time", "request", "response", "cache", "timings"],
                  "properties": {
                    "startedDateTime": { "type": "string", "format": "date-time" },
                    "time": { "type": "number" },
                    "request": { "type": "object", "required": ["method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize"] },
                    "response": { "type": "object", "required": ["status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "headersSize", "bodySize"] },
                    "cache": { "type": "object" },
                    "timings": { "type": "object", "required": ["send", "wait", "receive"] },
                    "_contract": { "type": ["string", "null"] },
                    "_case": { "type": ["string", "null"] },
                    "_reason": { "type": ["string", "null"] },
                    "_session": { "type": "string" },
                    "_outcome": { "type": "string" }
                  }
                }
              }
            }
          }
        },
        "additionalProperties": false
      },
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
        "required": ["mode", "records", "saves", "recording", "upstreams", "contracts", "scenarios"],
        "properties": {
          "mode": {
            "$ref": "#/components/schemas/Mode",
            "description": "Of all upstreams without a mode of their own."
          },
          "records": {
            "type": "boolean",
            "description": "Whether the server was started with --record."
          },
          "saves": {
            "type": "boolean",
            "description": "Whether the server was started with --allow-save."
          },
          "recording": { "$ref": "#/components/schemas/Recording" },
          "upstreams": {
            "type": "array",
            "items": { "$ref": "#/components/schemas/Upstream" }
          },
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
      "Recording": {
        "type": "object",
        "required": ["status", "mayStart"],
        "properties": {
          "status": { "enum": ["neverStarted", "recording", "stopped"] },
          "mayStart": {
            "type": "boolean",
            "description": "Whether clients may start and stop recordings; a server that was started with --record records all the time."
          }
        },
        "additionalProperties": false
      },
      "Mode": {
        "enum": ["fake", "live", "off"],
        "description": "Where responses come from: contracts, the live API, or nowhere."
      },
      "Upstream": {
        "type": "object",
        "required": ["name", "summary", "baseURL", "exampleURL", "hosts", "basePath", "mode"],
        "properties": {
          "name": { "type": "string" },
          "summary": { "type": ["string", "null"] },
          "baseURL": {
            "type": "string",
            "description": "For clients; includes the session in the path."
          },
          "exampleURL": {
            "type": ["string", "null"],
            "description": "To which a contract responds with a good case; null where none responds to a GET without a body and headers."
          },
          "hosts": {
            "type": "array",
            "items": { "type": "string" },
            "description": "Of the live API: a request with such a Host also leads here, if its path begins with basePath."
          },
          "basePath": { "type": "string", "description": "Of the live API's base URL; may be empty." },
          "mode": { "$ref": "#/components/schemas/Mode" }
        },
        "additionalProperties": false
      },
      "Contract": {
        "type": "object",
        "required": [
          "id", "summary", "method", "path", "case", "reason", "script", "mode", "held", "cases",
          "scripts", "isStub"
        ],
        "properties": {
          "id": { "type": "string", "description": "upstream/name" },
          "summary": { "type": ["string", "null"] },
          "method": { "type": "string" },
          "path": { "type": "string" },
          "case": {
            "type": ["string", "null"],
            "description": "The case served now for a request without preferences, or the chosen one that breaks the TLS handshake before it; null where the contract has no default case."
          },
          "reason": { "enum": ["script", "hand", "when", "default", null] },
          "script": {
            "type": ["object", "null"],
            "description": "The running script, whose last case repeats.",
            "required": ["cases", "served"],
            "properties": {
              "cases": { "type": "array", "minItems": 1, "items": { "type": "string" } },
              "served": {
                "type": "integer",
                "minimum": 0,
                "description": "The number of requests it has served."
              }
            },
            "additionalProperties": false
          },
          "held": { "type": "boolean", "description": "Whether new responses are held." },
          "mode": { "$ref": "#/components/schemas/Mode" },
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
          "isStub": { "type": "boolean", "description": "Whether it was made with PUT." },
          "scripts": { "type": "array", "items": { "type": "string" } }
        },
        "additionalProperties": false
      },
      "Diagnostic": {
        "type": "object",
        "required": ["severity", "rule", "file", "line", "column", "message", "fix", "page"],
        "properties": {
          "severity": { "type": "string" },
          "rule": { "type": "string" },
          "file": { "type": ["string", "null"] },
          "line": { "type": ["integer", "null"] },
          "column": { "type": ["integer", "null"] },
          "message": { "type": "string" },
          "fix": { "type": ["string", "null"] },
          "page": {
            "type": "string",
            "description": "The address of the page that explains the rule."
          }
        },
        "additionalProperties": false
      },
      "Events": {
        "type": "object",
        "description": "The data of events, by name. Without a session in the path, they are those of all sessions.",
        "properties": {
          "request": {
            "$ref": "#/components/schemas/Entry",
            "description": "The outcome of a request is known."
          },
          "held": {
            "$ref": "#/components/schemas/Held",
            "description": "A response is held."
          },
          "callback": {
            "type": "object",
            "description": "A callback is over.",
            "required": ["session", "sequence", "contract", "case", "place", "callback"],
            "properties": {
              "session": { "type": "string" },
              "sequence": { "type": "integer", "minimum": 1, "description": "The number of the request." },
              "contract": { "type": "string" },
              "case": { "type": "string" },
              "place": { "type": "integer", "minimum": 0, "description": "Its place among the callbacks of the request." },
              "callback": { "$ref": "#/components/schemas/Callback" }
            },
            "additionalProperties": false
          },
          "released": {
            "type": "object",
            "required": ["session", "id", "contract", "case"],
            "properties": {
              "session": { "type": "string" },
              "id": { "type": "integer", "minimum": 1 },
              "contract": { "type": "string" },
              "case": {
                "type": ["string", "null"],
                "description": "The case that is served; null when the connection is reset instead."
              }
            },
            "additionalProperties": false
          },
          "choice": {
            "type": "object",
            "required": ["session", "contract", "case"],
            "properties": {
              "session": { "type": "string" },
              "contract": { "type": "string" },
              "case": {
                "type": ["string", "null"],
                "description": "null when the chosen case was cleared."
              }
            },
            "additionalProperties": false
          },
          "hold": {
            "type": "object",
            "description": "The responses of a contract are held, or no more.",
            "required": ["session", "contract", "held"],
            "properties": {
              "session": { "type": "string" },
              "contract": { "type": "string" },
              "held": { "type": "boolean" }
            },
            "additionalProperties": false
          },
          "script": {
            "type": "object",
            "description": "Cases are served in order.",
            "required": ["session", "contract", "cases"],
            "properties": {
              "session": { "type": "string" },
              "contract": { "type": "string" },
              "cases": { "type": "array", "items": { "type": "string" } }
            },
            "additionalProperties": false
          },
          "state": {
            "type": "object",
            "description": "State was set by a request or a client.",
            "required": ["session", "upstream", "state"],
            "properties": {
              "session": { "type": "string" },
              "upstream": {
                "type": ["string", "null"],
                "description": "null when the whole state was cleared."
              },
              "state": {
                "type": "object",
                "description": "The changes; null for a forgotten name.",
                "additionalProperties": { "type": ["string", "null"] }
              }
            },
            "additionalProperties": false
          },
          "stub": {
            "type": "object",
            "description": "A contract was made at run time, or removed.",
            "required": ["session", "upstream", "contract", "removed"],
            "properties": {
              "session": { "type": "string" },
              "upstream": { "type": "string" },
              "contract": {
                "type": ["string", "null"],
                "description": "null where the contracts of the upstream were replaced together."
              },
              "removed": { "type": "boolean" }
            },
            "additionalProperties": false
          },
          "mode": {
            "type": "object",
            "description": "A mode was set, or cleared if it is null: of a contract, an upstream, or without either of the server.",
            "required": ["session", "upstream", "contract", "mode"],
            "properties": {
              "session": { "type": "string" },
              "upstream": { "type": ["string", "null"] },
              "contract": { "type": ["string", "null"] },
              "mode": { "enum": ["fake", "live", "off", null] }
            },
            "additionalProperties": false
          },
          "recording": {
            "type": "object",
            "description": "A recording was started or stopped.",
            "required": ["session", "status"],
            "properties": {
              "session": { "type": "string" },
              "status": { "enum": ["recording", "stopped"] }
            },
            "additionalProperties": false
          },
          "reset": {
            "type": "object",
            "description": "The session was reset or deleted; without one, the whole server was reset.",
            "properties": { "session": { "type": "string" } },
            "additionalProperties": false
          },
          "reloaded": {
            "type": "object",
            "description": "Changed files are served, or broken ones are valid again.",
            "required": ["added", "changed", "removed"],
            "properties": {
              "added": { "type": "array", "items": { "type": "string" } },
              "changed": { "type": "array", "items": { "type": "string" } },
              "removed": { "type": "array", "items": { "type": "string" } }
            },
            "additionalProperties": false
          },
          "rejected": {
            "type": "object",
            "description": "Changed files are broken, so the previous contracts are still served.",
            "required": ["message", "diagnostics"],
            "properties": {
              "message": { "type": "string" },
              "diagnostics": {
                "type": "array",
                "items": { "$ref": "#/components/schemas/Diagnostic" }
              }
            },
            "additionalProperties": false
          },
          "skipped": {
            "type": "object",
            "description": "Events that this client does not get any more.",
            "required": ["count"],
            "properties": {
              "count": {
                "type": ["integer", "null"],
                "minimum": 1,
                "description": "Those of other sessions included; null when nobody has counted them."
              }
            },
            "additionalProperties": false
          }
        },
        "additionalProperties": false
      },
      "Held": {
        "type": "object",
        "required": ["id", "contract", "since", "request"],
        "properties": {
          "id": { "type": "integer", "minimum": 1 },
          "contract": { "type": "string", "description": "upstream/name" },
          "since": {
            "type": "string",
            "format": "date-time",
            "description": "After five minutes it is released by itself."
          },
          "request": { "$ref": "#/components/schemas/Entry" }
        },
        "additionalProperties": false
      },
      "StateChange": {
        "type": "object",
        "required": ["state"],
        "properties": {
          "state": {
            "type": "object",
            "description": "Named strings for each upstream; null forgets a name.",
            "additionalProperties": {
              "type": "object",
              "additionalProperties": { "type": ["string", "null"] }
            }
          }
        },
        "additionalProperties": false
      },
      "State": {
        "type": "object",
        "required": ["state"],
        "properties": {
          "state": {
            "type": "object",
            "description": "Named strings for each upstream.",
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
          "unmatched",
          "status",
          "delayConfiguredMilliseconds",
          "delayActualMilliseconds",
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
            "description": "As sent, without session and query."
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
          "body": { "type": "string", "description": "Cut off at the request log's limit." },
          "bodyBase64": {
            "type": "string",
            "description": "Instead of body, when the body is not valid UTF-8."
          },
          "bodyBytes": {
            "type": "integer",
            "minimum": 0,
            "description": "The size of the whole body."
          },
          "session": { "type": "string", "description": "Empty for the main session." },
          "contract": {
            "type": ["string", "null"],
            "description": "upstream/name; null when no contract matched."
          },
          "case": { "type": ["string", "null"] },
          "reason": {
            "enum": ["preference", "script", "hand", "when", "live", "default", "mode", "undeclared", null],
            "description": "Why this case was chosen; mode if the live API responded, or nobody, because of a mode; undeclared if a client of the proxy asked for a host that no upstream declares."
          },
          "unmatched": { "type": "boolean", "description": "Whether no contract matched." },
          "status": { "type": ["integer", "null"] },
          "delayConfiguredMilliseconds": { "type": "number", "minimum": 0 },
          "delayActualMilliseconds": {
            "type": "number",
            "minimum": 0,
            "description": "From the complete request to the first byte of the response."
          },
          "sentBytes": { "type": "integer", "minimum": 0 },
          "outcome": { "$ref": "#/components/schemas/Outcome" },
          "callbacks": {
            "type": "array",
            "description": "The requests that follow the response; absent where there are none.",
            "items": { "$ref": "#/components/schemas/Callback" }
          }
        },
        "oneOf": [{ "required": ["body"] }, { "required": ["bodyBase64"] }]
      },
      "Callback": {
        "type": "object",
        "required": [
          "name", "method", "url", "headers", "outcome", "status", "expectedStatus", "message", "fix"
        ],
        "properties": {
          "name": { "type": "string" },
          "method": { "type": "string" },
          "url": { "type": "string", "description": "With all templates filled in." },
          "headers": {
            "type": "array",
            "items": {
              "type": "object",
              "required": ["name", "value"],
              "properties": { "name": { "type": "string" }, "value": { "type": "string" } },
              "additionalProperties": false
            }
          },
          "body": { "type": "string" },
          "bodyBase64": { "type": "string", "description": "A body that is not valid UTF-8." },
          "outcome": {
            "enum": ["waiting", "underWay", "responded", "failed", "refused", "cancelled"],
            "description": "waiting: the response or the delay is not over. failed: it got no response. refused: it was not sent, for the reason in message."
          },
          "status": { "type": ["integer", "null"], "description": "That of the response that it got." },
          "expectedStatus": { "type": ["integer", "null"], "description": "What its contract expects." },
          "message": { "type": ["string", "null"] },
          "fix": { "type": ["string", "null"] }
        },
        "oneOf": [{ "required": ["body"] }, { "required": ["bodyBase64"] }],
        "additionalProperties": false
      },
      "Entry": {
        "$ref": "#/components/schemas/Received",
        "unevaluatedProperties": false
      },
      "UnmatchedEntry": {
        "$ref": "#/components/schemas/Received",
        "required": ["message", "nearest"],
        "properties": {
          "message": { "type": "string", "description": "Why no contract matched." },
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
          "underWay", "held", "responded", "cutOff", "reset", "stalled", "clientLeft",
          "passedThrough", "cancelled"
        ]
      },
      "RequestPattern": {
        "type": "object",
        "description": "Written like request in a contract; the path is the one sent to the server, without session.",
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
  }
}

"""#
}
