// swift-format-ignore-file
// Written by ci/generate. To change it, edit Contracts/contract.schema.json and run that again.

/// What editors complete and check contracts by.
package enum ContractSchema {
  package  static let text = #"""
{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Contract",
  "description": "One endpoint of an upstream: the request, and every way the upstream may respond to it.",
  "type": "object",
  "required": ["request", "cases"],
  "properties": {
    "$schema": { "description": "The path of this schema, for editors.", "type": "string" },
    "summary": { "description": "What the endpoint returns, in one line.", "type": "string", "minLength": 1 },
    "request": { "$ref": "#/$defs/request" },
    "cases": {
      "description": "Every way the endpoint may respond, by name. Without a default, the first is served when nothing chooses another.",
      "type": "object",
      "minProperties": 1,
      "propertyNames": { "$ref": "#/$defs/name" },
      "additionalProperties": { "$ref": "#/$defs/case" }
    },
    "default": {
      "description": "The case served when nothing chooses another. Default: the first. With null, a request that no case's when holds for is not served.",
      "oneOf": [{ "$ref": "#/$defs/name" }, { "type": "null" }]
    },
    "scripts": {
      "description": "Cases to serve in order, by name of the script; the last repeats.",
      "type": "object",
      "propertyNames": { "$ref": "#/$defs/name" },
      "additionalProperties": { "type": "array", "items": { "$ref": "#/$defs/name" }, "minItems": 1 },
      "examples": [{ "fails-twice": ["reset", "cut-short", "ok"] }]
    },
    "waive": {
      "description": "Lint rules that this contract may break, each with the reason. Only warnings can be waived.",
      "type": "object",
      "propertyNames": {
        "pattern": "^[a-z0-9][a-z0-9-]*$",
        "examples": ["no-404-case", "no-malformed-case", "no-slow-case", "no-broken-case", "no-empty-case"]
      },
      "additionalProperties": { "description": "The reason.", "type": "string", "minLength": 1 },
      "examples": [{ "no-empty-case": "an organisation always has repositories" }]
    }
  },
  "patternProperties": { "^x-": { "description": "For other tools." } },
  "additionalProperties": false,
  "$defs": {
    "request": {
      "description": "The requests that this contract responds to.",
      "type": "object",
      "required": ["method", "path"],
      "properties": {
        "method": {
          "description": "A GET contract also responds to HEAD, unless there is a contract for HEAD.",
          "enum": ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        },
        "path": { "$ref": "#/$defs/path" },
        "also": {
          "description": "Other paths with the same responses.",
          "type": "array",
          "items": { "$ref": "#/$defs/path" },
          "minItems": 1,
          "uniqueItems": true
        },
        "parameters": {
          "description": "Conditions on path.NAME, query.NAME and header.NAME. Other query parameters and headers may be present or absent.",
          "type": "object",
          "patternProperties": {
            "^path\\.[A-Za-z0-9_-]+$": { "$ref": "#/$defs/pathParameter" },
            "^query\\.([^*].*|\\*.+)$": { "$ref": "#/$defs/queryParameter" },
            "^query\\.\\*$": { "$ref": "#/$defs/noOthers" },
            "^header\\.[!#$%&'*+.^_`|~0-9A-Za-z-]+$": { "$ref": "#/$defs/parameter" }
          },
          "additionalProperties": false,
          "examples": [{ "path.org": { "example": "apple" }, "query.page": { "optional": true, "matches": "^[0-9]+$" } }]
        },
        "body": { "$ref": "#/$defs/requestBody" }
      },
      "additionalProperties": false
    },
    "path": {
      "description": "Relative to the upstream's base URL. A segment in braces, {org}, is a parameter that matches one whole segment that is not empty. {rest...} at the end matches all further segments, or none.",
      "type": "string",
      "pattern": "^((/(\\{[A-Za-z0-9_-]+\\}|[^/{}?#\\s]*))+|(/(\\{[A-Za-z0-9_-]+\\}|[^/{}?#\\s]+))*/\\{[A-Za-z0-9_-]+\\.\\.\\.\\})$",
      "examples": ["/orgs/{org}/repos", "/files/{rest...}"]
    },
    "pathParameter": {
      "description": "Matches when its one test passes; a plain string is a test for equality.",
      "oneOf": [
        { "type": "string" },
        {
          "type": "object",
          "properties": {
            "equals": { "$ref": "#/$defs/equalsText" },
            "oneOf": { "$ref": "#/$defs/oneOfTexts" },
            "matches": { "$ref": "#/$defs/pattern" },
            "before": { "$ref": "#/$defs/beforeDate" },
            "at": { "$ref": "#/$defs/atDate" },
            "after": { "$ref": "#/$defs/afterDate" },
            "format": { "$ref": "#/$defs/dateFormat" },
            "steps": { "$ref": "#/$defs/dateSteps" },
            "not": { "description": "The value does not meet this condition.", "$ref": "#/$defs/pathParameter" },
            "example": { "$ref": "#/$defs/exampleText" }
          },
          "additionalProperties": false,
          "$ref": "#/$defs/oneTest"
        }
      ]
    },
    "parameter": {
      "description": "Matches when its one test passes; a plain string is a test for equality. An empty object, or only an example, requires the value to be present.",
      "oneOf": [
        { "type": "string" },
        {
          "type": "object",
          "properties": {
            "equals": { "$ref": "#/$defs/equalsText" },
            "oneOf": { "$ref": "#/$defs/oneOfTexts" },
            "matches": { "$ref": "#/$defs/pattern" },
            "before": { "$ref": "#/$defs/beforeDate" },
            "at": { "$ref": "#/$defs/atDate" },
            "after": { "$ref": "#/$defs/afterDate" },
            "format": { "$ref": "#/$defs/dateFormat" },
            "steps": { "$ref": "#/$defs/dateSteps" },
            "absent": { "$ref": "#/$defs/absent" },
            "optional": { "description": "The value may be absent; if present, the other conditions must hold.", "const": true },
            "not": { "description": "The value does not meet this condition; alone, it may be absent.", "$ref": "#/$defs/parameter" },
            "example": { "$ref": "#/$defs/exampleText" }
          },
          "additionalProperties": false,
          "$ref": "#/$defs/oneTest"
        }
      ]
    },
    "queryParameter": {
      "description": "Like any parameter; for a repeated parameter, an array of strings lists all its values in order.",
      "oneOf": [
        { "type": "string" },
        { "$ref": "#/$defs/texts" },
        {
          "type": "object",
          "properties": {
            "equals": { "description": "The value equals this, or the values equal these, in this order.", "oneOf": [{ "type": "string" }, { "$ref": "#/$defs/texts" }] },
            "oneOf": { "$ref": "#/$defs/oneOfTexts" },
            "matches": { "$ref": "#/$defs/pattern" },
            "before": { "$ref": "#/$defs/beforeDate" },
            "at": { "$ref": "#/$defs/atDate" },
            "after": { "$ref": "#/$defs/afterDate" },
            "format": { "$ref": "#/$defs/dateFormat" },
            "steps": { "$ref": "#/$defs/dateSteps" },
            "absent": { "$ref": "#/$defs/absent" },
            "optional": { "description": "The value may be absent; if present, the other conditions must hold.", "const": true },
            "not": { "description": "No value meets this condition; alone, it may be absent.", "$ref": "#/$defs/queryParameter" },
            "example": { "description": "Not a condition: the value sent when the contract's own request is made; an array for a repeated parameter.", "oneOf": [{ "type": "string" }, { "$ref": "#/$defs/texts" }] }
          },
          "additionalProperties": false,
          "$ref": "#/$defs/oneTest"
        }
      ]
    },
    "noOthers": {
      "description": "There is none beside those with a condition.",
      "type": "object",
      "required": ["absent"],
      "properties": { "absent": { "description": "Always true.", "const": true } },
      "additionalProperties": false
    },
    "absent": { "description": "Whether the value must be absent; false: it must be present.", "type": "boolean" },
    "texts": { "type": "array", "items": { "type": "string" }, "minItems": 1 },
    "oneTest": {
      "description": "At most one of equals, oneOf, matches, absent and a comparison of dates is allowed.",
      "dependentSchemas": {
        "equals": { "not": { "anyOf": [{ "required": ["oneOf"] }, { "required": ["matches"] }, { "required": ["absent"] }] } },
        "oneOf": { "not": { "anyOf": [{ "required": ["matches"] }, { "required": ["absent"] }] } },
        "matches": { "not": { "required": ["absent"] } },
        "before": { "$ref": "#/$defs/onlyDates" },
        "at": { "$ref": "#/$defs/onlyDates" },
        "after": { "$ref": "#/$defs/onlyDates" },
        "format": { "$ref": "#/$defs/oneDate" },
        "steps": { "$ref": "#/$defs/oneDate" }
      }
    },
    "onlyDates": {
      "not": { "anyOf": [{ "required": ["equals"] }, { "required": ["oneOf"] }, { "required": ["matches"] }, { "required": ["absent"] }] }
    },
    "oneDate": { "anyOf": [{ "required": ["before"] }, { "required": ["at"] }, { "required": ["after"] }] },
    "beforeDate": {
      "description": "The value is a date before this one, which may move with the time of the request: now, steps and a zone.",
      "type": "string",
      "examples": ["2026-01-31T12:00:00Z", "now +3d", "now/d in Europe/Berlin"]
    },
    "atDate": { "description": "The value is a date, and the same moment as this one.", "type": "string", "examples": ["now/d"] },
    "afterDate": {
      "description": "The value is a date after this one. With before, between the two.",
      "type": "string",
      "examples": ["now -1h"]
    },
    "dateFormat": {
      "description": "How the value's date is written: unix, unixMilliseconds, or a pattern of letters as in templates. Default: a date of ISO 8601, RFC 3339 or HTTP; one without an offset is in UTC, or in the zone of the other date.",
      "type": "string",
      "examples": ["dd.MM.yyyy", "unix"]
    },
    "dateSteps": {
      "description": "Steps from the value's date to the one that is compared, such as the beginning of its day.",
      "type": "string",
      "examples": ["/d", "/M +1M"]
    },
    "equalsText": { "description": "The value equals this.", "type": "string" },
    "oneOfTexts": {
      "description": "The value is one of these.",
      "type": "array",
      "items": { "type": "string" },
      "minItems": 1,
      "uniqueItems": true
    },
    "pattern": {
      "description": "An ECMAScript regular expression with the u flag that occurs in the value. Use ^ and $ to match the whole value. Backreferences are rejected.",
      "type": "string",
      "examples": ["^[0-9]+$"]
    },
    "exampleText": {
      "description": "Not a condition: the value sent when the contract's own request is made, such as to the live API.",
      "type": "string"
    },
    "requestBody": {
      "description": "Conditions on the request's body; all must hold. An array lists several such objects.",
      "if": { "type": "array" },
      "then": { "items": { "$ref": "#/$defs/bodyConditions" }, "minItems": 1 },
      "else": { "$ref": "#/$defs/bodyConditions" }
    },
    "bodyConditions": {
      "type": "object",
      "minProperties": 1,
      "properties": {
        "equals": { "description": "The body equals this JSON: numbers are compared as numbers, members may be in any order." },
        "contains": { "description": "The body contains at least this JSON: each named member, and each array element at its index." },
        "order": { "description": "Whether array elements in equals and contains must come in the order given. Default: given.", "enum": ["given", "any"] },
        "schema": { "$ref": "#/$defs/schema" },
        "text": { "description": "The body equals this text.", "type": "string" },
        "base64": { "description": "The body has these bytes.", "type": "string", "contentEncoding": "base64" },
        "matches": {
          "description": "A pattern that occurs in the body, or several.",
          "oneOf": [{ "$ref": "#/$defs/pattern" }, { "type": "array", "items": { "$ref": "#/$defs/pattern" }, "minItems": 1 }]
        },
        "before": { "$ref": "#/$defs/beforeDate" },
        "at": { "$ref": "#/$defs/atDate" },
        "after": { "$ref": "#/$defs/afterDate" },
        "format": { "$ref": "#/$defs/dateFormat" },
        "steps": { "$ref": "#/$defs/dateSteps" },
        "form": {
          "description": "Conditions on the fields of a form, by name, as on query parameters.",
          "type": "object",
          "minProperties": 1,
          "properties": { "*": { "$ref": "#/$defs/noOthers" } },
          "additionalProperties": { "$ref": "#/$defs/queryParameter" },
          "examples": [{ "user": "jo", "page": { "optional": true } }]
        },
        "multipart": {
          "description": "Conditions on the parts of a multipart form, by name; or a list of them, also for parts of any name.",
          "if": { "type": "array" },
          "then": { "items": { "$ref": "#/$defs/listedPart" }, "minItems": 1 },
          "else": {
            "type": "object",
            "minProperties": 1,
            "properties": { "*": { "$ref": "#/$defs/noOthers" } },
            "additionalProperties": { "$ref": "#/$defs/part" }
          },
          "examples": [
            { "photo": { "filename": { "matches": "\\.png$" }, "contentType": "image/png" } },
            [{ "parts": "all", "headers": { "Content-Type": "text/plain" } }]
          ]
        },
        "not": { "description": "These conditions do not all hold.", "$ref": "#/$defs/requestBody" },
        "example": { "description": "Not a condition: the JSON sent when the contract's own request is made." }
      },
      "additionalProperties": false
    },
    "part": {
      "description": "A part whose text meets the conditions. A plain string is a test for equality.",
      "oneOf": [
        { "type": "string" },
        {
          "type": "object",
          "properties": {
            "equals": { "$ref": "#/$defs/equalsText" },
            "oneOf": { "$ref": "#/$defs/oneOfTexts" },
            "matches": { "$ref": "#/$defs/pattern" },
            "before": { "$ref": "#/$defs/beforeDate" },
            "at": { "$ref": "#/$defs/atDate" },
            "after": { "$ref": "#/$defs/afterDate" },
            "format": { "$ref": "#/$defs/dateFormat" },
            "steps": { "$ref": "#/$defs/dateSteps" },
            "absent": { "$ref": "#/$defs/absent" },
            "optional": { "description": "The part may be absent; if present, the other conditions must hold.", "const": true },
            "not": { "description": "The part's text does not meet this condition; alone, the part may be absent.", "$ref": "#/$defs/parameter" },
            "filename": { "$ref": "#/$defs/parameter" },
            "contentType": { "$ref": "#/$defs/parameter" },
            "headers": { "$ref": "#/$defs/partHeaders" },
            "body": { "$ref": "#/$defs/requestBody" },
            "example": { "$ref": "#/$defs/exampleText" }
          },
          "additionalProperties": false,
          "$ref": "#/$defs/oneTest"
        }
      ]
    },
    "partHeaders": {
      "description": "Conditions on the headers of the part, by name.",
      "type": "object",
      "additionalProperties": { "$ref": "#/$defs/parameter" }
    },
    "listedPart": {
      "description": "A part that meets the conditions.",
      "type": "object",
      "properties": {
        "name": { "description": "The name of the part. Default: any.", "type": "string" },
        "parts": { "description": "Whether any part of the form, or all of them, must meet the conditions. Default: any.", "enum": ["any", "all"] },
        "equals": { "$ref": "#/$defs/equalsText" },
        "oneOf": { "$ref": "#/$defs/oneOfTexts" },
        "matches": { "$ref": "#/$defs/pattern" },
        "absent": { "$ref": "#/$defs/absent" },
        "optional": { "description": "The part may be absent; if present, the other conditions must hold.", "const": true },
        "not": { "description": "The part's text does not meet this condition; alone, the part may be absent.", "$ref": "#/$defs/parameter" },
        "filename": { "$ref": "#/$defs/parameter" },
        "contentType": { "$ref": "#/$defs/parameter" },
        "headers": { "$ref": "#/$defs/partHeaders" },
        "body": { "$ref": "#/$defs/requestBody" },
        "example": { "$ref": "#/$defs/exampleText" }
      },
      "additionalProperties": false,
      "$ref": "#/$defs/oneTest"
    },
    "schema": {
      "description": "JSON Schema, draft 2020-12. Numbers that are dates can be marked with \"x-time\": { \"epoch\": 2001, \"within\": [\"-20y\", \"+1y\"] }, and strings with \"x-date\": { \"after\": \"now -1d\" }.",
      "type": ["object", "boolean"]
    },
    "case": {
      "description": "One way the endpoint may respond.",
      "type": "object",
      "properties": {
        "summary": { "description": "When this happens.", "type": "string", "minLength": 1 },
        "like": {
          "description": "Another case whose status, headers, body and schema are copied, and nothing else. Members of this case override them.",
          "$ref": "#/$defs/name"
        },
        "status": { "description": "The status, 200 to 599; 204 and 304 have no body.", "type": "integer", "minimum": 200, "maximum": 599 },
        "headers": { "$ref": "#/$defs/headers" },
        "body": { "description": "The body as JSON. It is sent as written here, without the white space between tokens." },
        "text": { "description": "The body as text, sent as UTF-8.", "type": "string" },
        "base64": {
          "description": "The body as bytes.",
          "type": "string",
          "pattern": "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
        },
        "file": {
          "description": "The body as a file; the path is relative to this file.",
          "type": "string",
          "pattern": "^[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*$",
          "examples": ["files/hound.jpg"]
        },
        "events": {
          "description": "The body as a stream of server-sent events, text/event-stream: each is sent after its time, then the stream ends.",
          "type": "array",
          "items": { "$ref": "#/$defs/event" },
          "examples": [[{ "id": "1", "event": "price", "data": { "eur": 12 } }, { "id": "2", "data": "bye", "after": "200ms" }]]
        },
        "schema": { "description": "JSON Schema, draft 2020-12, that the body must match, here and live. Beside \"file\" it says that the file is JSON; beside \"events\" it describes each JSON \"data\".", "$ref": "#/$defs/schema" },
        "version": { "description": "The version of HTTP. Default: 1.1.", "enum": ["1.0", "1.1"] },
        "framing": {
          "description": "How the end of the body is marked. Default: length, for events chunked. close: the body ends with the connection.",
          "enum": ["length", "chunked", "close"]
        },
        "encoding": { "description": "How the body is compressed.", "const": "gzip" },
        "ranges": { "description": "Whether a GET with a Range gets that part of the body: 206, or 416.", "type": "boolean" },
        "etag": { "description": "Whether the response has an ETag, and a request that names it in If-None-Match gets a 304.", "type": "boolean" },
        "template": {
          "description": "The parts that contain templates, such as {server.baseURL}, {path.NAME} or {now +1h}.",
          "type": "array",
          "items": { "enum": ["headers", "body"] },
          "minItems": 1,
          "uniqueItems": true
        },
        "when": { "$ref": "#/$defs/when" },
        "then": {
          "description": "State to set when the case has been served; null forgets a name. Names and values may have template expressions.",
          "type": "object",
          "minProperties": 1,
          "additionalProperties": { "type": ["string", "null"] },
          "examples": [{ "list": "full" }, { "thing.{body./id}": "{body}" }]
        },
        "malform": { "$ref": "#/$defs/malform" },
        "delay": { "$ref": "#/$defs/delay" },
        "pace": { "$ref": "#/$defs/pace" },
        "stall": { "$ref": "#/$defs/stall" },
        "fault": { "$ref": "#/$defs/fault" },
        "expect": {
          "description": "The outcome each consumer must have. Consumers are declared in consumers.json.",
          "type": "object",
          "propertyNames": { "pattern": "^[A-Za-z0-9._-]+$" },
          "additionalProperties": { "$ref": "#/$defs/expectation" }
        },
        "live": { "$ref": "#/$defs/live" },
        "callbacks": {
          "description": "Requests that the server sends once it has sent this response, by names of your choice.",
          "type": "object",
          "minProperties": 1,
          "maxProperties": 20,
          "propertyNames": { "$ref": "#/$defs/name" },
          "additionalProperties": { "$ref": "#/$defs/callback" }
        }
      },
      "patternProperties": { "^x-": { "description": "For other tools." } },
      "additionalProperties": false,
      "anyOf": [{ "required": ["status"] }, { "required": ["like"] }, { "required": ["fault"] }],
      "allOf": [
        { "$ref": "#/$defs/atMostOneBody" },
        { "$ref": "#/$defs/faultWithOrWithoutResponse" },
        { "$ref": "#/$defs/faultInTLS" },
        { "$ref": "#/$defs/liveOnlyWhenSound" },
        { "$ref": "#/$defs/sentInOneWay" }
      ]
    },
    "atMostOneBody": {
      "not": {
        "anyOf": [
          { "required": ["body", "text"] },
          { "required": ["body", "base64"] },
          { "required": ["body", "file"] },
          { "required": ["text", "base64"] },
          { "required": ["text", "file"] },
          { "required": ["base64", "file"] },
          { "required": ["body", "events"] },
          { "required": ["text", "events"] },
          { "required": ["base64", "events"] },
          { "required": ["file", "events"] }
        ]
      }
    },
    "faultWithOrWithoutResponse": {
      "if": { "required": ["fault"] },
      "then": {
        "if": {
          "properties": {
            "fault": {
              "anyOf": [
                {
                  "enum": [
                    "MALFORMED_RESPONSE_CHUNK", "CONNECTION_RESET_IN_BODY", "CONNECTION_CLOSED_IN_BODY", "MALFORMED_HEADER",
                    "TLS_CLOSED_WITHOUT_NOTICE"
                  ]
                },
                { "type": "object" }
              ]
            }
          }
        },
        "then": {
          "anyOf": [
            { "required": ["like"] },
            { "required": ["status", "body"] },
            { "required": ["status", "text"] },
            { "required": ["status", "base64"] },
            { "required": ["status", "file"] },
            { "required": ["status", "events"] }
          ]
        },
        "else": {
          "properties": {
            "like": false, "status": false, "headers": false,
            "body": false, "text": false, "base64": false, "file": false, "events": false,
            "schema": false, "version": false, "framing": false, "encoding": false,
            "ranges": false, "etag": false, "template": false,
            "malform": false, "pace": false, "stall": false
          }
        }
      }
    },
    "faultInTLS": {
      "allOf": [
        {
          "if": {
            "required": ["fault"],
            "properties": {
              "fault": {
                "enum": [
                  "TLS_EXPIRED", "TLS_NOT_YET_VALID", "TLS_SELF_SIGNED", "TLS_WRONG_HOST", "TLS_UNKNOWN_AUTHORITY",
                  "TLS_HANDSHAKE_ABORTED", "TLS_OLD_PROTOCOL"
                ]
              }
            }
          },
          "then": { "properties": { "when": false, "then": false, "delay": false, "callbacks": false } }
        },
        {
          "if": { "required": ["fault"], "properties": { "fault": { "const": "TLS_CLOSED_WITHOUT_NOTICE" } } },
          "then": {
            "properties": { "framing": { "const": "close" } },
            "anyOf": [{ "required": ["framing"] }, { "required": ["events", "version"] }]
          }
        }
      ]
    },
    "liveOnlyWhenSound": {
      "if": { "required": ["live"] },
      "then": {
        "not": {
          "anyOf": [
            { "required": ["malform"] },
            { "required": ["delay"] },
            { "required": ["pace"] },
            { "required": ["stall"] },
            { "required": ["fault"] },
            { "required": ["when"], "properties": { "when": { "required": ["state"] } } }
          ]
        }
      }
    },
    "sentInOneWay": {
      "allOf": [
        {
          "if": { "required": ["events"] },
          "then": {
            "properties": {
              "encoding": false,
              "pace": false,
              "ranges": { "const": false },
              "etag": { "const": false },
              "framing": { "enum": ["chunked", "close"] }
            }
          }
        },
        {
          "if": { "required": ["ranges"], "properties": { "ranges": { "const": true } } },
          "then": { "properties": { "encoding": false, "malform": false, "fault": false, "stall": false } }
        },
        {
          "if": { "required": ["etag"], "properties": { "etag": { "const": true } } },
          "then": { "properties": { "malform": false, "fault": false } }
        }
      ]
    },
    "headers": {
      "description": "Each name with its value, or an array of values for a repeated header. With like, headers are merged by name; null drops one. Headers that frame the message are not allowed: see framing, encoding and malform.",
      "type": "object",
      "propertyNames": {
        "pattern": "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
        "not": {
          "pattern": "^([Cc]ontent-([Ll]ength|[Ee]ncoding)|[Tt]ransfer-[Ee]ncoding|[Cc]onnection|[Dd]ate)$"
        }
      },
      "additionalProperties": {
        "anyOf": [
          { "$ref": "#/$defs/headerValue" },
          { "type": "array", "items": { "$ref": "#/$defs/headerValue" }, "minItems": 1 },
          { "type": "null" }
        ]
      },
      "examples": [{ "Content-Type": "application/json", "Set-Cookie": ["a=1", "b=2"] }]
    },
    "headerValue": { "type": "string", "pattern": "^[^\\r\\n\\u0000]*$" },
    "when": {
      "description": "For which requests this case is served without being chosen; all conditions must hold. If several cases match, the first in the file is served.",
      "type": "object",
      "minProperties": 1,
      "properties": {
        "request": {
          "description": "Conditions as in parameters and body.",
          "type": "object",
          "minProperties": 1,
          "properties": { "body": { "$ref": "#/$defs/requestBody" } },
          "patternProperties": {
            "^path\\.[A-Za-z0-9_-]+$": { "$ref": "#/$defs/pathParameter" },
            "^query\\.([^*].*|\\*.+)$": { "$ref": "#/$defs/queryParameter" },
            "^query\\.\\*$": { "$ref": "#/$defs/noOthers" },
            "^header\\.[!#$%&'*+.^_`|~0-9A-Za-z-]+$": { "$ref": "#/$defs/parameter" }
          },
          "additionalProperties": false,
          "examples": [{ "query.page": "2" }]
        },
        "state": {
          "description": "Each name must have this value or meet this condition; null: it was never set. Names may have template expressions.",
          "type": "object",
          "minProperties": 1,
          "additionalProperties": { "oneOf": [{ "type": "null" }, { "$ref": "#/$defs/parameter" }] },
          "examples": [{ "list": "full" }, { "thing.{path.id}": { "absent": false } }]
        },
        "count": {
          "description": "How many requests to the contract came before, in this session since its last reset.",
          "type": "object",
          "required": ["above"],
          "properties": { "above": { "description": "More than this many.", "type": "integer", "minimum": 0 } },
          "additionalProperties": false,
          "examples": [{ "above": 100 }]
        },
        "share": {
          "description": "How many of the requests that meet the rest serve this case, drawn by the seed.",
          "type": "number",
          "exclusiveMinimum": 0,
          "maximum": 1,
          "examples": [0.05]
        }
      },
      "additionalProperties": false
    },
    "malform": {
      "description": "How the body is mutated: exactly one of these. Offsets count the bytes of the body as sent, before encoding.",
      "type": "object",
      "minProperties": 1,
      "maxProperties": 1,
      "properties": {
        "truncateAt": {
          "description": "Only this many bytes, correctly framed.",
          "type": "integer",
          "minimum": 0
        },
        "insert": {
          "description": "Text inserted at a byte offset.",
          "type": "object",
          "required": ["at", "text"],
          "properties": {
            "at": { "description": "The offset of the byte before which the text is inserted.", "type": "integer", "minimum": 0 },
            "text": { "description": "The inserted text.", "type": "string", "minLength": 1 }
          },
          "additionalProperties": false,
          "examples": [{ "at": 17, "text": "}" }]
        },
        "invalidUTF8At": { "description": "The offset at which a byte FF is inserted.", "type": "integer", "minimum": 0 },
        "set": {
          "description": "Values replaced or members added, by JSON Pointer; for example a wrong type.",
          "type": "object",
          "minProperties": 1,
          "propertyNames": { "$ref": "#/$defs/pointer" },
          "examples": [{ "/0/name": 7 }]
        },
        "remove": {
          "description": "Members or elements removed, by JSON Pointer; for example a missing field.",
          "type": "array",
          "items": { "$ref": "#/$defs/pointer" },
          "minItems": 1,
          "uniqueItems": true,
          "examples": [["/0/name"]]
        },
        "html": { "description": "A page sent instead of the body, as text/html.", "type": "string", "minLength": 1 },
        "empty": { "description": "No body, Content-Length: 0.", "const": true },
        "contentType": {
          "description": "The content type sent with the unchanged body.",
          "type": "string",
          "pattern": "^[^\\s/]+/[^\\s/;]+.*$",
          "examples": ["text/plain"]
        },
        "gzip": {
          "description": "Content-Encoding: gzip with bytes that are not compressed, have a wrong checksum, or end early.",
          "enum": ["plain", "corrupt", "truncated"]
        },
        "contentLength": {
          "description": "The error of Content-Length in bytes: positive is too long, negative too short.",
          "type": "integer",
          "not": { "const": 0 }
        }
      },
      "additionalProperties": false
    },
    "pointer": { "description": "A JSON Pointer.", "type": "string", "pattern": "^(/([^~/]|~0|~1)*)*$" },
    "delay": {
      "description": "The time from the complete request to the start of the response: exactly one of these.",
      "type": "object",
      "minProperties": 1,
      "maxProperties": 1,
      "properties": {
        "fixed": { "description": "Always this long.", "$ref": "#/$defs/duration" },
        "uniform": {
          "description": "A random time between the two.",
          "type": "array",
          "items": { "$ref": "#/$defs/duration" },
          "minItems": 2,
          "maxItems": 2
        },
        "lognormal": {
          "description": "Mostly near the median, with a long tail cut off at max.",
          "type": "object",
          "required": ["median", "sigma", "max"],
          "properties": {
            "median": { "description": "Half of the delays are shorter.", "$ref": "#/$defs/duration" },
            "sigma": { "description": "How widely the delays spread.", "type": "number", "exclusiveMinimum": 0 },
            "max": { "description": "The longest delay.", "$ref": "#/$defs/duration" }
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false,
      "examples": [{ "fixed": "2s" }]
    },
    "pace": {
      "description": "How fast the body is sent: as a number of pieces over a time, or at a rate.",
      "type": "object",
      "properties": {
        "chunks": { "description": "The number of pieces.", "type": "integer", "minimum": 1 },
        "over": { "description": "The time over which the pieces are sent evenly.", "$ref": "#/$defs/duration" },
        "bytesPerSecond": { "description": "The rate in bytes per second.", "type": "number", "exclusiveMinimum": 0 }
      },
      "additionalProperties": false,
      "oneOf": [{ "required": ["chunks", "over"] }, { "required": ["bytesPerSecond"] }],
      "dependentRequired": { "chunks": ["over"], "over": ["chunks"] },
      "examples": [{ "chunks": 5, "over": "2s" }, { "bytesPerSecond": 1000 }]
    },
    "stall": {
      "description": "Where sending stops for good while the connection stays open.",
      "oneOf": [
        { "enum": ["beforeHead", "afterHead"] },
        {
          "type": "object",
          "minProperties": 1,
          "maxProperties": 1,
          "properties": {
            "atByte": { "description": "After this many bytes of the body.", "type": "integer", "minimum": 0 },
            "atEvent": { "description": "After this many events of the response.", "type": "integer", "minimum": 0 }
          },
          "additionalProperties": false
        }
      ],
      "examples": ["afterHead", { "atByte": 100 }, { "atEvent": 1 }]
    },
    "fault": {
      "description": "How the response breaks on the wire, or its connection in TLS. The two …_IN_BODY faults, the malformed chunk and the malformed header need a status and a body, or a like, and TLS_CLOSED_WITHOUT_NOTICE also needs the framing close; the others must not have them. The other TLS_… faults come before any request, so they go without when, then and delay.",
      "oneOf": [
        {
          "enum": [
            "EMPTY_RESPONSE", "MALFORMED_RESPONSE_CHUNK", "RANDOM_DATA_THEN_CLOSE", "CONNECTION_RESET_BY_PEER",
            "CONNECTION_RESET_IN_BODY", "CONNECTION_CLOSED_IN_BODY", "MALFORMED_STATUS_LINE", "MALFORMED_HEADER",
            "TLS_EXPIRED", "TLS_NOT_YET_VALID", "TLS_SELF_SIGNED", "TLS_WRONG_HOST", "TLS_UNKNOWN_AUTHORITY",
            "TLS_HANDSHAKE_ABORTED", "TLS_OLD_PROTOCOL", "TLS_CLOSED_WITHOUT_NOTICE"
          ]
        },
        {
          "type": "object",
          "required": ["name"],
          "properties": {
            "name": { "description": "How the stream breaks.", "enum": ["CONNECTION_RESET_IN_BODY", "CONNECTION_CLOSED_IN_BODY"] },
            "atEvent": { "description": "After this many events of the response. Default: all.", "type": "integer", "minimum": 0 }
          },
          "additionalProperties": false
        }
      ],
      "examples": ["CONNECTION_RESET_BY_PEER", { "name": "CONNECTION_RESET_IN_BODY", "atEvent": 1 }]
    },
    "event": {
      "description": "One event of a stream.",
      "type": "object",
      "anyOf": [{ "required": ["data"] }, { "required": ["event"] }, { "required": ["id"] }, { "required": ["retry"] }],
      "properties": {
        "data": { "description": "Text, whose lines are sent as lines of data; anything else is sent as JSON on one line." },
        "event": { "description": "The type of the event. Default, for clients: message.", "$ref": "#/$defs/eventLine" },
        "id": { "description": "The id that clients resume after, once in a stream.", "$ref": "#/$defs/eventLine" },
        "after": { "description": "The time from the event before, or from the head.", "$ref": "#/$defs/duration" },
        "retry": { "description": "How long a client waits before it connects again.", "$ref": "#/$defs/duration" }
      },
      "additionalProperties": false
    },
    "callback": {
      "description": "A request that the server sends once it has sent the response. It goes to this machine, or to a host that callbacks in upstream.json names. Redirects are not followed.",
      "type": "object",
      "required": ["url"],
      "properties": {
        "summary": { "description": "When this happens.", "type": "string", "minLength": 1 },
        "method": {
          "description": "Default: POST.",
          "enum": ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        },
        "url": {
          "description": "Where it is sent. Templates are always filled in: they may be all of it, or a part.",
          "type": "string",
          "minLength": 1,
          "examples": ["{body./callbackUrl}", "http://127.0.0.1:9000/paid/{path.id}"]
        },
        "headers": { "$ref": "#/$defs/headers" },
        "body": { "description": "The body as JSON, sent without the white space between tokens. No content type is added." },
        "text": { "description": "The body as text, sent as UTF-8.", "type": "string" },
        "base64": {
          "description": "The body as bytes.",
          "type": "string",
          "pattern": "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
        },
        "file": {
          "description": "The body as a file; the path is relative to this file.",
          "type": "string",
          "pattern": "^[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*$"
        },
        "template": {
          "description": "The parts besides the URL that contain templates. They see the request that the response was for; {uuid} and {counter} are those of the response.",
          "type": "array",
          "items": { "enum": ["headers", "body"] },
          "minItems": 1,
          "uniqueItems": true
        },
        "delay": { "$ref": "#/$defs/delay" },
        "expect": {
          "description": "The response that the receiver must give; test and run check it. Without it, any will do, or none.",
          "type": "object",
          "required": ["status"],
          "properties": {
            "status": { "description": "The status, 200 to 599.", "type": "integer", "minimum": 200, "maximum": 599 }
          },
          "additionalProperties": false
        }
      },
      "patternProperties": { "^x-": { "description": "For other tools." } },
      "additionalProperties": false,
      "allOf": [{ "$ref": "#/$defs/atMostOneBody" }]
    },
    "eventLine": { "type": "string", "pattern": "^[^\\r\\n\\u0000]*$" },
    "expectation": {
      "description": "The outcome this consumer must have: exactly one of value, error, exitCode and like. A command has an exit code, a service a value or an error.",
      "type": "object",
      "properties": {
        "value": { "description": "The returned value as JSON." },
        "error": {
          "description": "The name of a declared error, or an object of its name and payload.",
          "oneOf": [
            { "type": "string", "pattern": "^[A-Za-z][A-Za-z0-9]*$" },
            {
              "type": "object",
              "minProperties": 1,
              "maxProperties": 1,
              "propertyNames": { "pattern": "^[A-Za-z][A-Za-z0-9]*$" }
            }
          ],
          "examples": ["invalidData", { "unexpectedStatus": 404 }]
        },
        "exitCode": {
          "description": "The exit code of a command.",
          "type": "integer",
          "minimum": 0,
          "maximum": 255,
          "examples": [0, 3]
        },
        "stdout": { "description": "What the command prints to standard output.", "$ref": "#/$defs/printed" },
        "stderr": { "description": "What the command prints to standard error.", "$ref": "#/$defs/printed" },
        "like": {
          "description": "Another case with the same outcome for this consumer.",
          "$ref": "#/$defs/name"
        },
        "arguments": {
          "description": "The arguments of the call. Default: those of the case named by like, else those of the contract's default case.",
          "type": "object",
          "examples": [{ "org": "apple" }]
        },
        "timeout": {
          "description": "The client's time limit for this check. A command that takes longer is stopped.",
          "$ref": "#/$defs/duration"
        },
        "transport": {
          "description": "The kind of the underlying failure.",
          "enum": [
            "cannotResolve", "cannotConnect", "timedOut", "reset", "emptyReply", "truncated", "badEncoding", "tooLarge",
            "tls", "malformedResponse", "cancelled"
          ]
        },
        "curl": {
          "description": "The curl codes that may cause it; they differ by version.",
          "type": "array",
          "items": { "type": "integer", "minimum": 1, "maximum": 99 },
          "minItems": 1,
          "uniqueItems": true,
          "examples": [[28]]
        },
        "requests": {
          "description": "The total number of requests, if not one.",
          "type": "integer",
          "minimum": 0
        },
        "with": {
          "description": "The cases that other endpoints serve during the check; an endpoint of another upstream is written upstream/endpoint.",
          "type": "object",
          "minProperties": 1,
          "propertyNames": { "pattern": "^[a-z0-9][a-z0-9-]*(/[a-z0-9][a-z0-9-]*)?$" },
          "additionalProperties": { "$ref": "#/$defs/name" },
          "examples": [{ "list-favorites": "empty" }, { "dog-ceo-images/picture": "reset" }]
        },
        "tolerates": {
          "description": "Mutations that this consumer may accept, by JSON Pointer; * is any element. A service may then return any value, a command print anything. Other mutations of what it reads must end in a declared error, or an exit code that a contract expects.",
          "type": "object",
          "minProperties": 1,
          "propertyNames": { "pattern": "^(/.*)?$" },
          "additionalProperties": {
            "type": "array",
            "items": {
              "enum": [
                "missing", "null", "empty", "huge", "negative", "long", "deep", "as-boolean", "as-number", "as-string",
                "as-array", "as-object", "bad-utf8", "duplicate", "extra"
              ]
            },
            "minItems": 1,
            "uniqueItems": true
          },
          "examples": [{ "/description": ["null", "empty"] }]
        }
      },
      "additionalProperties": false,
      "oneOf": [
        { "required": ["value"] },
        { "required": ["error"] },
        { "required": ["exitCode"] },
        { "required": ["like"] }
      ],
      "not": { "required": ["error", "tolerates"] },
      "dependentRequired": { "transport": ["error"], "curl": ["error"], "stdout": ["exitCode"], "stderr": ["exitCode"] },
      "dependentSchemas": { "exitCode": { "properties": { "arguments": false } } }
    },
    "printed": {
      "description": "A condition on a text: the text itself, or conditions that must all hold.",
      "oneOf": [
        { "type": "string" },
        {
          "type": "object",
          "minProperties": 1,
          "properties": {
            "equals": { "description": "The text equals this.", "type": "string" },
            "contains": { "description": "The text contains this.", "type": "string" },
            "matches": { "description": "The pattern occurs in the text.", "type": "string", "format": "regex" }
          },
          "additionalProperties": false
        }
      ],
      "examples": ["cloudy\n", { "contains": "cloudy" }, { "matches": "^cloudy, [0-9]+ degrees\n$" }]
    },
    "live": {
      "description": "How to make the live API respond with this case; the fake serves the case for the same request. {} is enough when the examples of the parameters do it.",
      "type": "object",
      "properties": {
        "parameters": {
          "description": "Values that replace the examples. They never change the path template.",
          "type": "object",
          "propertyNames": { "pattern": "^(path|query|header)\\..+$" },
          "additionalProperties": { "type": "string" },
          "examples": [{ "path.org": "no-such-org" }]
        },
        "latency": { "description": "A response slower than this is reported.", "$ref": "#/$defs/duration" },
        "safe": {
          "description": "The request may be sent although its method is not GET or HEAD.",
          "const": true
        }
      },
      "additionalProperties": false
    },
    "name": {
      "description": "Lower-case letters, digits and dashes.",
      "type": "string",
      "pattern": "^[a-z0-9][a-z0-9-]*$"
    },
    "duration": {
      "description": "A number with a unit: ms, s, m or h.",
      "type": "string",
      "pattern": "^[0-9]+(\\.[0-9]+)?(ms|s|m|h)$",
      "examples": ["250ms", "2s", "1.5s", "5m", "1h"]
    }
  }
}

"""#
}
