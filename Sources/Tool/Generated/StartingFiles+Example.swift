// swift-format-ignore-file
// Written by ci/generate. To change it, edit Sources/Tool/Starting/Example and run that again.

extension StartingFiles {
  /// The files of the example "jokes".
  static let jokes = [
    File(path: "Contracts/consumers.json", text: #"""
{
  "$schema": "consumers.schema.json",
  "jokes": {
    "summary": "Prints a joke",
    "upstreams": ["joke"],
    "command": ["python3", "jokes.py"]
  }
}

"""#),
    File(path: "Contracts/joke/random-joke.json", text: #"""
{
  "$schema": "../contract.schema.json",
  "summary": "A joke at random",
  "request": { "method": "GET", "path": "/random_joke" },
  "cases": {
    "ok": {
      "status": 200,
      "headers": { "Content-Type": "application/json" },
      "body": { "id": 1, "type": "general", "setup": "Why?", "punchline": "Because." },
      "schema": {
        "type": "object",
        "required": ["id", "type", "setup", "punchline"],
        "properties": {
          "id": { "type": "integer" },
          "type": { "type": "string" },
          "setup": { "type": "string" },
          "punchline": { "type": "string" }
        }
      },
      "live": {},
      "expect": { "jokes": { "exitCode": 0, "stdout": "Why?\nBecause.\n" } }
    },
    "not-found": {
      "status": 404,
      "headers": { "Content-Type": "application/json" },
      "body": { "message": "no joke today" },
      "expect": { "jokes": { "exitCode": 3, "stdout": "no joke\n" } }
    },
    "malformed": {
      "summary": "The body ends in the middle",
      "like": "ok",
      "malform": { "truncateAt": 30 },
      "expect": { "jokes": { "exitCode": 4 } }
    },
    "slow": {
      "like": "ok",
      "delay": { "fixed": "1s" },
      "expect": { "jokes": { "like": "ok" } }
    },
    "reset": {
      "summary": "The connection breaks before the response",
      "fault": "CONNECTION_RESET_BY_PEER",
      "expect": { "jokes": { "exitCode": 3 } }
    }
  }
}

"""#),
    File(path: "Contracts/joke/upstream.json", text: #"""
{
  "$schema": "../upstream.schema.json",
  "summary": "Jokes. Live acts as the live API: understudy serve -C Live --port 8090",
  "baseURL": "http://127.0.0.1:8090/api"
}

"""#),
    File(path: "Live/api/random-joke.json", text: #"""
{
  "summary": "A joke, and how the API might change",
  "request": { "method": "GET", "path": "/random_joke" },
  "cases": {
    "ok": {
      "status": 200,
      "headers": { "Content-Type": "application/json" },
      "body": { "id": 2, "type": "general", "setup": "Who?", "punchline": "Nobody." }
    },
    "untyped": {
      "summary": "A member that nobody reads is gone",
      "status": 200,
      "headers": { "Content-Type": "application/json" },
      "body": { "id": 2, "setup": "Who?", "punchline": "Nobody." }
    },
    "renamed": {
      "summary": "A member has another name",
      "status": 200,
      "headers": { "Content-Type": "application/json" },
      "body": { "id": 2, "type": "general", "setup": "Who?", "reveal": "Nobody." }
    },
    "down": { "status": 503 }
  }
}

"""#),
    File(path: "Live/api/upstream.json", text: #"""
{ "summary": "The live API of the example" }

"""#),
    File(path: "jokes.mjs", text: #"""
// Prints a joke. Ends with 3 if there is none, with 4 if the response is not a joke.
const base = process.env.UNDERSTUDY_URL_JOKE ?? "http://127.0.0.1:8090/api";
const fail = (code, words) => {
  console.error(words);
  process.exit(code);
};

let body;
try {
  const response = await fetch(`${base}/random_joke`, { signal: AbortSignal.timeout(5000) });
  if (!response.ok) {
    console.log("no joke");
    process.exit(3);
  }
  body = await response.text();
} catch (error) {
  fail(3, error.message);
}
try {
  const { setup, punchline } = JSON.parse(body);
  if (typeof setup !== "string" || typeof punchline !== "string") throw new Error();
  console.log(`${setup}\n${punchline}`);
} catch {
  fail(4, "not a joke");
}

"""#),
    File(path: "jokes.py", text: #"""
"""Prints a joke. Ends with 3 if there is none, with 4 if the response is not a joke."""
import http.client
import json
import os
import sys
import urllib.error
import urllib.request

base = os.environ.get("UNDERSTUDY_URL_JOKE", "http://127.0.0.1:8090/api")
try:
    with urllib.request.urlopen(f"{base}/random_joke", timeout=5) as response:
        body = response.read()
except urllib.error.HTTPError:
    print("no joke")
    sys.exit(3)
except (OSError, http.client.HTTPException) as error:
    print(error, file=sys.stderr)
    sys.exit(3)
try:
    joke = json.loads(body)
    print("\n".join([joke["setup"], joke["punchline"]]))
except (ValueError, KeyError, TypeError):
    print("not a joke", file=sys.stderr)
    sys.exit(4)

"""#),
    File(path: "jokes.swift", text: #"""
// Prints a joke. Ends with 3 if there is none, with 4 if the response is not a joke.
import Foundation
#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct Joke: Decodable {
  let setup: String
  let punchline: String
}

func fail(_ code: Int32, _ words: String) -> Never {
  FileHandle.standardError.write(Data("\(words)\n".utf8))
  exit(code)
}

let base = ProcessInfo.processInfo.environment["UNDERSTUDY_URL_JOKE"] ?? "http://127.0.0.1:8090/api"
guard let url = URL(string: "\(base)/random_joke") else { fail(3, "not a URL: \(base)") }
do {
  let (body, response) = try await URLSession.shared.data(for: URLRequest(url: url, timeoutInterval: 5))
  let status = (response as? HTTPURLResponse)?.statusCode ?? 0
  guard status == 200 else {
    print("no joke")
    exit(3)
  }
  let joke = try JSONDecoder().decode(Joke.self, from: body)
  print(joke.setup)
  print(joke.punchline)
} catch is DecodingError {
  fail(4, "not a joke")
} catch {
  fail(3, error.localizedDescription)
}

"""#),
  ]
}
