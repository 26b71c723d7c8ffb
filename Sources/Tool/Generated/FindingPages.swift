// swift-format-ignore-file
// Written by ci/generate. To change it, edit Sources/Manual/reference/findings.md and run that again.

enum FindingPages {
  /// The names of findings below each heading, in order.
  static let groups: [(title: String, names: [String])] = [
    ("The live API against its contract", [
      "status",
      "redirect",
      "header-added",
      "header-removed",
      "header-changed",
      "body-unreadable",
      "schema-violated",
      "schema-field-added",
      "schema-field-removed",
      "schema-type-changed",
      "schema-nullability-changed",
      "schema-enum-widened",
      "schema-format-changed",
      "schema-magnitude-changed",
      "array-emptied",
      "size-changed",
      "performance",
      "status-added",
      "operation-added",
      "operation-removed",
      "server-moved",
      "deprecated",
      "status-undocumented",
      "example-invalid",
      "request-invalid",
      "consumer-broken",
      "intermittent",
      "consumers-unknown",
      "secret-missing",
      "outage",
      "access-refused",
      "unchecked",
      "stale",
      "rate",
      "given-up",
      "requests-failed",
      "certificate-ends",
    ]),
    ("A consumer against its expectations", [
      "outcome",
      "value",
      "transport",
      "curl-code",
      "request",
      "request-count",
      "callback",
      "foreign-host",
      "crash",
      "hang",
      "mutant-survived",
      "mutation-score",
      "flaky",
    ]),
    ("The run itself", [
      "nothing-exercised",
      "incomplete",
      "shard-missing",
      "shard-duplicated",
      "shard-division",
      "coverage",
    ]),
    ("Rules of lint", [
      "invalid-json",
      "duplicate-key",
      "unknown-key",
      "missing-key",
      "conflicting-keys",
      "wrong-type",
      "bad-value",
      "bad-name",
      "bad-path",
      "bad-pattern",
      "bad-schema",
      "bad-template",
      "undeclared-callback",
      "delay-unit",
      "unreadable-file",
      "unexpected-file",
      "secret",
      "unknown-case",
      "unknown-endpoint",
      "unknown-parameter",
      "unknown-fault",
      "unknown-consumer",
      "unknown-error",
      "unknown-argument",
      "unknown-rule",
      "circular-like",
      "schema-mismatch",
      "not-malformed",
      "ambiguous",
      "unreachable",
      "not-live",
      "no-contract",
      "no-404-case",
      "no-malformed-case",
      "no-slow-case",
      "no-broken-case",
      "no-empty-case",
      "unset-state",
      "unused-waiver",
    ]),
  ]

  static let sections: [String: String] = [
    "status": #"""
The status has changed. Every consumer reads it, so one that expects the old status usually breaks.

```text
Contracts/jokes/one.json:6:17: error: found status 404, as in the case "not-found", expected 200 [status]
  | -200
  | +404
  fix: add a case with status 404, or correct the request of this case, or accept it with a reason
```

Fix: `understudy drift --update` writes a status of the same class, such as 201 for 200, into the case. For
another class, add a case, or let `"live"` name parameters for which the API still sends the old status.

Severity: error if it breaks a consumer or the contract has none, else warning. `--accepted` makes it a note.
"""#,
    "redirect": #"""
The upstream responds with a redirect, which is not drift by itself. Its target is what is compared with the
case.

```text
Contracts/jokes/one.json:5:11: note: followed a redirect (301) to https://jokes.example/v2/jokes/1 [redirect]
  fix: none needed, or change the contract to request the target
```

Fix: none is needed. To save the request, write the target into `"path"` of the contract, or into `"baseURL"`
of upstream.json if the whole API has moved.

Severity: note. A redirect that is not followed, such as one in a loop, is also a `status` finding.
"""#,
    "header-added": #"""
The response has a new header. Only headers in which an API announces a change are reported: `Deprecation`,
`Sunset` and `Warning`.

```text
Contracts/jokes/one.json:7:18: note: Deprecation "@1798675200" announces a change [header-added]
  | +Deprecation: @1798675200
```

Fix: find out what the API announces. Then name the header in `"headers"` of the case: from then on it is
compared like any other.

Severity: note.
"""#,
    "header-removed": #"""
A header is missing. The case names it in `"headers"`, and the live response does not have it.

```text
Contracts/jokes/one.json:7:68: warning: no header X-Source, expected "archive" [header-removed]
  | -X-Source: archive
  fix: run understudy drift --update to apply it, or accept it with a reason
```

Fix: `understudy drift --update` removes it from the case. Headers that say how a response travelled, such as
`Date` and `Via`, are never compared.

Severity: error if it breaks a consumer that reads it, or if the contract has no consumer and the header does
more than serve caches or announce limits; note if no consumer reads it; else warning. `--accepted` makes it a
note.
"""#,
    "header-changed": #"""
The value of a header has changed. It is also reported where the media type differs from that of the body in
the case, and where a `Link` has no `rel="next"` any more.

```text
Contracts/jokes/one.json:7:68: warning: found X-Source "cache", expected "archive" [header-changed]
  | -X-Source: archive
  | +X-Source: cache
  fix: run understudy drift --update to apply it, or accept it with a reason
```

Fix: `understudy drift --update` writes the new value into the case. A value that differs from response to
response is not reported. For a `Link` without a next page, request a resource that has more pages.

Severity: error if it breaks a consumer that reads it, note if no consumer reads it, else warning.
`--accepted` makes it a note.
"""#,
    "body-unreadable": #"""
The body does not match its content type. The case has a body that can be read, and the live response has
none, or one that is not valid JSON, or one that is not in the encoding that it names.

```text
Contracts/jokes/one.json:8:15: error: the body is not valid JSON: at 1:1 found "<", as in HTML or XML, expected a value [body-unreadable]
  fix: check what the upstream sends instead, and change the case, or accept it with a reason
```

Fix: look at the response in `.understudy/drift/captures`. `--update` cannot apply such a body: change the
case by hand, or its request.

Severity: error if it breaks a consumer or the contract has none, else warning. `--accepted` makes it a note.
"""#,
    "schema-violated": #"""
The body violates the contract's schema. It covers the keywords that have no type of their own, such as
`maximum`, `minLength` or `uniqueItems`, and for a plain text that is not the one in the case.

```text
Contracts/jokes/one.json:18:53: note: found 9, expected at most 5 [schema-violated]
  at /rating
  | -"rating": 4
  | +"rating": 9
```

Fix: `understudy drift --update` changes the schema as little as possible: it raises `"maximum"` to the new
value, for example. If it cannot, it says why.

Severity: error if it breaks a consumer that reads the value, note if no consumer reads it, else warning.
`--accepted` makes it a note.
"""#,
    "schema-field-added": #"""
The body has a new field. Neither the schema nor the example of the case knows it. Several new fields of one
object are one finding.

```text
Contracts/jokes/one.json:8:15: note: the contract does not know "rank" [schema-field-added]
  at /rank
  | +"rank": 3
```

Fix: `understudy drift --update` adds it to the schema and the example. Where the keys of an object are data,
say so: a schema with `"additionalProperties"` and no `"properties"` makes new keys no change.

Severity: note.
"""#,
    "schema-field-removed": #"""
A field is missing. The schema requires it, or every example in the case has it.

```text
Contracts/jokes/one.json:11:21: error: missing "punchline", read by jokes-cli [schema-field-removed]
  at /punchline
  | -"punchline": "Because."
  fix: make jokes-cli handle it first, then run understudy drift --update, or accept it with a reason
```

Fix: make the named consumers handle its absence, then let `understudy drift --update` change the schema and
the example. A field that may be missing belongs in `"properties"` of the schema, but not in `"required"`.

Severity: error if it breaks a consumer that reads it, or if the contract has no consumer; note if no consumer
reads it, or if the schema allows it to be missing; else warning. `--accepted` makes it a note.
"""#,
    "schema-type-changed": #"""
The type of a value has changed. It is of another JSON type than the schema allows, or than the example has
where the schema says nothing.

```text
Contracts/jokes/one.json:14:34: error: found number 7, expected string, read by jokes-cli [schema-type-changed]
  at /punchline
  | -"punchline": "Because."
  | +"punchline": 7
  fix: make jokes-cli handle it first, then run understudy drift --update, or accept it with a reason
```

Fix: make the named consumers handle the new type, then run `understudy drift --update`.

Severity: error if it breaks a consumer that reads it, or if the contract has no consumer; note if no consumer
reads it; else warning. `--accepted` makes it a note.
"""#,
    "schema-nullability-changed": #"""
A value can now be null. It is null in the live response, and neither the schema nor the example allows that.

```text
Contracts/jokes/one.json:14:34: error: found null, expected string, read by jokes-cli [schema-nullability-changed]
  at /punchline
  | -"punchline": "Because."
  | +"punchline": null
  fix: make jokes-cli handle it first, then run understudy drift --update, or accept it with a reason
```

Fix: make the named consumers handle null, then let `understudy drift --update` write `["string", "null"]`
into the schema.

Severity: error if it breaks a consumer that reads it, or if the contract has no consumer; note if no consumer
reads it; else warning. `--accepted` makes it a note.
"""#,
    "schema-enum-widened": #"""
A value is not one of the known ones. The schema lists the values in `"enum"` or `"const"`, and the API has
sent another one of the same type.

```text
Contracts/jokes/one.json:15:29: note: found "epic", expected one of "short", "long" [schema-enum-widened]
  at /kind
  | -"kind": "short"
  | +"kind": "epic"
```

Fix: `understudy drift --update` adds the value to the list. If the API may send any value, replace `"enum"`
with `"type"`.

Severity: error if it breaks a consumer that reads the value, note if no consumer reads it, else warning.
`--accepted` makes it a note.
"""#,
    "schema-format-changed": #"""
The format of a string has changed. It does not match `"format"` or `"pattern"` of the schema any more.

```text
Contracts/jokes/one.json:16:49: note: found "1 November", expected a date such as 2024-01-31 [schema-format-changed]
  at /told
  | -"told": "2026-11-01"
  | +"told": "1 November"
```

Fix: make consumers that parse the string handle both forms, then run `understudy drift --update`.

Severity: error if it breaks a consumer that reads the value, note if no consumer reads it, else warning.
`--accepted` makes it a note.
"""#,
    "schema-magnitude-changed": #"""
The magnitude of a number has changed, as with a date of another epoch. The schema says with `"x-time"` that
the number is a date in seconds, and how far from now it may be.

```text
Contracts/jokes/one.json:17:29: note: 1790000000000 reads as a date without a four-digit year since 1970, later than +1y; in milliseconds it would be 2026-09-21 [schema-magnitude-changed]
  at /at
  | -"at": 1790000000
  | +"at": 1790000000000
```

Fix: if the API has changed the unit, make consumers handle it, and describe the number again in the schema.
If the date is only older or later than expected, widen `"within"` of `"x-time"`.

Severity: error if it breaks a consumer that reads the value, note if no consumer reads it, else warning.
`--accepted` makes it a note.
"""#,
    "array-emptied": #"""
An array, or an object whose keys are data, is empty and was not before. The example in the case has elements,
or the schema requires one with `"minItems"`, so nothing is known of what they look like now.

```text
Contracts/jokes/one.json:8:84: note: found an empty array, expected elements as in the example [array-emptied]
  at /tags
```

Fix: let `"live"` or the `"example"` of a parameter name a resource that has elements. `--update` cannot apply
an empty array.

Severity: error if it breaks a consumer that reads it, note if no consumer reads it, else warning.
`--accepted` makes it a note.
"""#,
    "size-changed": #"""
There are far fewer elements or pages than in earlier runs. The longest list of the response has at most half
of the elements that it had in each of the last three to five runs, or a consumer got at most half of the
pages. Lists of fewer than four elements and a single page are not compared.

```text
Contracts/jokes/one.json:5:11: warning: only 3 elements, after 12 in each of the last 4 runs [size-changed]
  fix: check whether the requested resource still has the rest
```

Fix: check in the API whether the rest is still there. Nothing has to be changed if it is gone for good: the
next run compares with the new size.

Severity: warning. `--accepted` makes it a note.
"""#,
    "performance": #"""
The response is slower than the contract allows. Each response of the run took longer than `"latency"` of the
live case.

```text
Contracts/jokes/one.json:21:28: warning: found a response after 602 ms, expected one within 300 ms [performance]
  fix: increase "latency", or accept it with a reason
```

Fix: `understudy history` shows how the latency has changed over time. Increase `"latency"`, or remove it.

Severity: warning. `--accepted` makes it a note.
"""#,
    "status-added": #"""
The document has a status that no case of the contract has. Only `understudy drift --against` reports it.

```text
Contracts/jokes/one.json:4:12: note: no case has status 410 (see openapi.json:56:18) [status-added]
```

Fix: add a case with this status, so that consumers are tested with it.

Severity: note.
"""#,
    "operation-added": #"""
The document has an operation that no contract covers. Only `understudy drift --against` reports it, when all
contracts of the upstream are selected.

```text
openapi.json:60:14: note: no contract covers GET /jokes [operation-added]
```

Fix: none is needed. If a consumer calls it, write a contract, or let `understudy import openapi.json` write
one.

Severity: note.
"""#,
    "operation-removed": #"""
The document does not have the operation of the contract. Only `understudy drift --against` reports it.

```text
Contracts/jokes/one.json:3:14: error: no operation GET /jokes/1 in openapi.json, used by jokes-cli [operation-removed]
  fix: remove the contract, or add the operation to openapi.json, or accept it with a reason
```

Fix: move the named consumers to another operation and remove the contract, or correct the document.

Severity: error. `--accepted` makes it a note.
"""#,
    "server-moved": #"""
The document's server has another path than the address of the upstream. Only `understudy drift --against`
reports it.

```text
openapi.json:4:5: error: found the server https://jokes.example/v2, expected the path of https://jokes.example, which is the address of jokes [server-moved]
  fix: change "baseURL" in Contracts/jokes/upstream.json, or correct openapi.json
```

Fix: write the new path into `"baseURL"`, and check where consumers get their base URL from. If the document
describes another deployment, correct its `servers`.

Severity: error, or warning if all its servers are on other hosts.
"""#,
    "deprecated": #"""
The document deprecates an operation or a parameter that is in use. Only `understudy drift --against` reports
it.

```text
Contracts/jokes/one.json:3:14: warning: GET /jokes/1 is deprecated (see openapi.json:10:14) [deprecated]
  fix: move to what replaces it, or accept it with a reason
```

Fix: move the consumers to what replaces it before it is removed.

Severity: warning if a consumer uses it, else note. `--accepted` makes it a note.
"""#,
    "status-undocumented": #"""
The document has no response for some cases of failure. Few documents list them all, so there is one finding
for an upstream, by `understudy drift --against` alone.

```text
openapi.json: note: no response for 1 case of failure: jokes/one#not-found (404) [status-undocumented]
```

Fix: none is needed. Add the responses to the document if it is yours.

Severity: note.
"""#,
    "example-invalid": #"""
The contract's example breaks the schema of the document. Only `understudy drift --against` reports it.

```text
Contracts/jokes/one.json:25:48: warning: found "Why?" of 4 characters, expected at most 3 (see openapi.json:23:30) [example-invalid]
  at /setup
  fix: correct the example, or openapi.json, or accept it with a reason
```

Fix: correct `"body"` of the case if the API never sends this; otherwise correct the document.

Severity: note if no consumer reads the value, else warning. `--accepted` makes it a note.
"""#,
    "request-invalid": #"""
A request breaks the rules of the document. It lacks a parameter, a header or a credential that is required,
or breaks a schema; only `understudy drift --against` reports it.

```text
Contracts/jokes/one.json:3:14: error: no query parameter "lang", which is required, sent by jokes-cli (see openapi.json:58:11) [request-invalid]
  fix: change what jokes-cli sends, or correct openapi.json, or accept it with a reason
```

Fix: change what the named consumers send. If none is named, change the request of the contract: give the
parameter an `"example"`.

Severity: error, or warning if all consumers are known and only the contract's own request does so, or if only a
credential is missing that no header carries. `--accepted` makes it a note.
"""#,
    "consumer-broken": #"""
A consumer no longer handles the live response as expected. It reports an error instead of a value, another
error, or, as a command, another exit code; values may differ from those of the contract.

```text
Contracts/jokes/one.json:22:46: error: the command exited with 1, expected exit code 0: "KeyError: 'punchline'" [consumer-broken]
  fix: make jokes-cli handle such a response, ask jokes to revert the change, or accept it with a reason
```

Fix: the finding on the response beside it says what has changed. Make the consumer handle that, or ask the
owner of the API to revert it. `understudy drift --update --dry-run` shows what the contract would become.

Severity: error. `--accepted` makes it a note.
"""#,
    "intermittent": #"""
A break of an earlier run was not seen in this run and may come back. It broke a consumer in only some
responses, and one clean run does not prove that it is gone.

```text
Contracts/jokes/one.json:5:11: error: jokes/one#ok was broken in 1 of 2 responses on 2026-11-25 (schema-field-removed) and not since; this closes after 3 clean runs [intermittent]
  fix: compare more responses to see it again: understudy drift jokes/one#ok --samples 10
```

Fix: let `understudy drift --samples 10` compare more responses. After three clean runs the finding is gone.

Severity: error.
"""#,
    "consumers-unknown": #"""
Whether any consumer reads the change is unknown. Either no consumer expects anything of the contract, or it
is not known what those that do read; so changes count as errors or warnings that might otherwise be notes.

```text
note: no consumer is declared for jokes/one#ok, so changes that would break one are errors [consumers-unknown]
  fix: declare who reads it in consumers.json and "expect", or accept the changes with a reason: --accepted
```

Fix: add an `"expect"` to the case. For commands, `understudy reads --learn` finds out what they read.

Severity: note.
"""#,
    "secret-missing": #"""
A secret that the upstream needs is not set. It is reported with `--require-secrets`; without it, cases that
need the secret are not exercised.

```text
Contracts/jokes/upstream.json: error: missing secret UNDERSTUDY_JOKES_KEY, which jokes needs [secret-missing]
  fix: set UNDERSTUDY_JOKES_KEY in the environment of this command
```

Fix: set the variable where drift runs. If the upstream can be called without it, write `"optional": true`
beside its `"value"` in upstream.json.

Severity: error. `--accepted` makes it a note.
"""#,
    "outage": #"""
The upstream, or a case of it, has not responded for too long. It was down on each of the last runs, three
unless `--outage-runs` says otherwise; each day counts once.

```text
Contracts/jokes/upstream.json:1:34: error: no response from jokes could be checked on 3 runs in a row, read by jokes-cli [outage]
  fix: if it is gone for good, say so in its upstream.json: "retired": "REASON"
```

Fix: ask its owner. If it is gone for good, write `"retired"` with the reason into upstream.json, or remove
`"live"` from the case.

Severity: error.
"""#,
    "access-refused": #"""
Access to the upstream, or to a case of it, was denied for too long. It was denied on each of the last runs,
three unless `--outage-runs` says otherwise.

```text
Contracts/jokes/upstream.json:1:34: error: access to jokes is refused on 3 runs in a row, read by jokes-cli [access-refused]
  fix: name the secret it needs in its upstream.json
```

Fix: name the secret in `"secrets"` of upstream.json and set its variable, or renew the secret if it has
expired.

Severity: error.
"""#,
    "unchecked": #"""
The upstream, or a case of it, could not be checked for too long. On each of the last runs, three unless
`--outage-runs` says otherwise, something other than an outage or denied access prevented it, such as a rate
limit.

```text
Contracts/jokes/upstream.json:1:34: error: no case of jokes could be checked on 3 runs in a row, read by jokes-cli [unchecked]
  fix: run understudy drift jokes to see why, and set "rate" in its upstream.json to what it allows
```

Fix: the report gives the reasons, under "could not be checked". Set `"rate"` to what the upstream allows, or
give the run more time with `--deadline`.

Severity: error.
"""#,
    "stale": #"""
The contract has not been checked against the live API for too long. `understudy history --max-age 7d` and
`understudy test --max-age 7d` report it.

```text
Contracts/jokes/one.json: error: found jokes/one last checked: ok on 2026-11-22; expected within 3 days [stale]
  fix: run understudy drift jokes/one
```

Fix: run `understudy drift` for it, and find out why the scheduled runs do not. Runs in which the API was down
do not count.

Severity: error.
"""#,
    "rate": #"""
The rate of the upstream allows fewer requests than a run needs. The other cases are left to later runs; those
that have waited longest come first.

```text
Contracts/jokes/upstream.json: note: requested 4 of 8 cases of jokes, as its rate of 4 requests in 1 hour allows; a round of all cases takes 2 runs, and those that have waited longest come first [rate]
  fix: raise "rate" in Contracts/jokes/upstream.json if jokes allows more, or run drift more often
```

Fix: none is needed if a round takes few enough runs. Otherwise raise `"rate"` to what the upstream allows, or
run drift more often.

Severity: note.
"""#,
    "given-up": #"""
The upstream let requests time out, and got no more in this run. That happens after three in a row; cases
without a response could not be checked.

```text
Contracts/jokes/upstream.json:1:34: note: gave up jokes after 3 time-outs in a row; no request was sent for 2 of 8 cases [given-up]
  fix: check whether jokes is up, or allow more time with --timeout
```

Fix: check whether the upstream is up. If it is only slow, give each request more time with `--timeout`.

Severity: note.
"""#,
    "requests-failed": #"""
Some requests got no response, or a server error. They count even where they succeeded when they were
repeated. It is not reported where all failed.

```text
Contracts/jokes/upstream.json:1:34: warning: 7 of 14 requests to jokes failed: 7 × status 503 [requests-failed]
  fix: set "failedPercent" in Contracts/jokes/upstream.json to what is normal for it
```

Fix: ask the owner of the API. Set `"failedPercent"` of upstream.json above what is normal for it.

Severity: warning from `"failedPercent"` on, which is 50 by default, else note.
"""#,
    "certificate-ends": #"""
The certificate of a live API ends soon. It ends within 14 days, unless `--certificate-days` says otherwise.
Hosts to which an upstream redirects count, too; several upstreams on one host and port have one warning.

```text
Contracts/jokes/upstream.json:1:34: warning: the certificate of api.jokes.example ends on 2026-12-09 (in 11 days), expected more than 14 days [certificate-ends]
  fix: ask whoever runs jokes to renew it: once it has ended, no client can connect
```

Fix: ask whoever runs the API to renew the certificate. With `--certificate-days 7` the warning comes later,
with `--certificate-days 0` never. After the last day, the cases could not be checked.

Severity: warning.
"""#,
    "outcome": #"""
The consumer's outcome differs: an error instead of a value, or another error. For a command, it is another
exit code, or the signal that ended it; for `understudy run`, that its command failed.

```text
Contracts/jokes/random.json:10:59: error: the command exited with 1, expected exit code 3: "not valid JSON" [outcome]
```

Fix: if the consumer is right, change `"value"`, `"error"` or `"exitCode"` beside its name in `"expect"`.
Otherwise serve the case with `understudy serve` and `understudy use`, and try it by hand.

Severity: error.
"""#,
    "value": #"""
The consumer returned a different value. For a command, it is what it printed; at most ten differences of a
value are listed.

```text
Contracts/joke/random-joke.json:33:19: error: found number 236, expected number 237 [value]
  at /id
```

Fix: correct the consumer, or `"value"`, `"stdout"` or `"stderr"` in `"expect"`. `"stdout": { "contains": "…"
}` compares only a part.

Severity: error.
"""#,
    "transport": #"""
The transport failure behind the consumer's error is of another kind. The error has the expected name, but the
case also says what must have happened on the wire.

```text
Contracts/joke/random-joke.json:210:35: error: found reset (the connection was reset: GET /joke/random_joke: Recv failure: Connection reset by peer (curl 56)) under connectivity, expected truncated [transport]
```

Fix: correct `"transport"` in `"expect"`, or leave it out where the kind does not matter.

Severity: error.
"""#,
    "curl-code": #"""
The curl code behind the failure differs. The case lists the codes that libcurl may report.

```text
Contracts/joke/random-joke.json:210:35: error: found curl code 56 under connectivity, expected 18 [curl-code]
```

Fix: add the code to `"curl"` in `"expect"`: versions of libcurl differ. Or leave it out, since `"transport"`
says the same by name.

Severity: error.
"""#,
    "request": #"""
The consumer's request differs from the contract's. No contract matches it, or another case than the expected
one was served for it; the nearest contract and what differs are named.

```text
Contracts/jokes/one.json:22:32: error: sent GET /jokes/joke/1, which no contract matches; nearest jokes/one: path segment 1: found "joke", expected "jokes" [request]
```

Fix: correct the request, or the contract. If another case was served, give the consumer `"arguments"` with
which it sends the request that this case is for. `understudy explain` says which case a request gets.

Severity: error.
"""#,
    "request-count": #"""
The consumer sent more or fewer requests than expected. One is expected unless the case says otherwise.

```text
Contracts/jokes/one.json:22:32: error: sent 2 requests, expected 1: GET /jokes/jokes/1 (2 times) [request-count]
  fix: if that is right, write "requests": 2 beside what it expects
```

Fix: write `"requests"` into `"expect"` if the number is right. If no request was sent, let the consumer use
the base URL that it is given; a command has it in its environment, as `UNDERSTUDY_URL_JOKES` for the upstream
jokes.

Severity: error.
"""#,
    "callback": #"""
A callback did not get the response that its contract expects. Its receiver responded with another status or not
at all, or [the callback](responses.md#callbacks) was not sent, for the reason that the message gives.

```text
Contracts/payments/create.json:14:19: error: the callback "paid" got 500, expected 204 [callback]
  fix: let its receiver respond with 204
```

Fix: let the consumer respond as `"expect"` of the callback says. A consumer that listens by itself must name an
address on this machine in its request, and stay until the callback has come.

Severity: error.
"""#,
    "foreign-host": #"""
The consumer sent a request to a host that is not the fake. The request was blocked. Only services in Swift
are watched like that.

```text
Contracts/jokes/one.json:22:32: error: sent GET https://other.example/joke, expected only requests to the fake [foreign-host]
```

Fix: let the service use the base URL that its call gives for the upstream. If it needs another API, write a
contract for it, and list its upstream in consumers.json.

Severity: error.
"""#,
    "crash": #"""
The consumer crashed. The check was repeated in a process of its own and crashed again; or a mutated response
crashed it. A command that is ended by a signal is an `outcome`.

```text
Contracts/joke/random.json:13:34: error: crashed: Fatal error: a joke has no id [crash]
```

Fix: make the service report a declared error instead. If no check crashes alone, look for state that checks
share; `--jobs 1` runs one at a time.

Severity: error.
"""#,
    "hang": #"""
The consumer did not finish. It had no outcome within the time that it has after the response should have
come; a command and what it started were stopped.

```text
Contracts/jokes/one.json:22:32: error: no outcome within 1.0 s [hang]
```

Fix: give requests of the consumer a time limit. If it needs longer, write `"timeout"` into `"expect"`, or
give `understudy run` a longer `--timeout`.

Severity: error, or warning if checks only hang beside others: let services wait without blocking a thread.
"""#,
    "mutant-survived": #"""
The consumer accepted a mutated response. `understudy test --mutate` changed a part that it reads, and it
returned a value instead of a declared error; or the part is not read, and the value changed.

```text
Contracts/jokes/one.json:22:32: error: null/punchline: found other output with exit code 0, expected the same or another exit code [mutant-survived]
  fix: run it alone: understudy test --mutant 'jokes/one#ok,jokes-cli,null/punchline'
```

Fix: let the consumer check what it reads. Where it rightly accepts the mutation, say so beside the `"value"`:
`"tolerates": { "/punchline": ["null"] }`.

Severity: error.
"""#,
    "mutation-score": #"""
How many mutated responses the consumer handled as it must. One line for each consumer sums up a run of
`understudy test --mutate`.

```text
note: jokes-cli handled 87 of 98 mutants correctly (88%) [mutation-score]
```

Fix: none is needed; each mutant that was not handled has a finding of its own.

Severity: note.
"""#,
    "flaky": #"""
The same check gave different results. `understudy test --repeat` ran it several times, and only some of them
passed.

```text
Contracts/jokes/one.json:5:11: error: passed 2 of 6 times, expected all [flaky]
```

Fix: the findings beside it are those of a failed attempt. Look for what differs between attempts: time,
order, random numbers, or state that they share.

Severity: error.
"""#,
    "nothing-exercised": #"""
The run exercised nothing. No check has a result, so a green run would prove nothing.

```text
error: nothing was exercised, so the run proves nothing [nothing-exercised]
  fix: see the reason at each case, or name cases that can be exercised
```

Fix: the report gives a reason for each case, under "not exercised", such as a secret that is not set, or a
case that is not live. A single shard of several may be empty.

Severity: error.
"""#,
    "incomplete": #"""
Checks that were planned are missing. The reports that `understudy merge` has joined have fewer checks than
the run planned.

```text
error: found 5 checks, expected 6 as planned [incomplete]
  fix: run it to the end
```

Fix: pass the reports of all shards to `understudy merge`, and run those again that ended early.

Severity: error.
"""#,
    "shard-missing": #"""
A shard is missing. `understudy merge` has the reports of other shards of the run, and none of this one.

```text
error: no report of shard 2/3 [shard-missing]
  fix: find out why that machine wrote none, then run it again
```

Fix: run it again with `--shard 2/3 --report json=PATH`, and pass all reports to `understudy merge`.

Severity: error.
"""#,
    "shard-duplicated": #"""
A shard appears more than once. Two reports that `understudy merge` got are of the same shard.

```text
error: 2 reports of shard 1/3: shards/1.json, shards/1b.json [shard-duplicated]
  fix: give each machine its own shard
```

Fix: give each machine a `--shard` of its own, or `--shard auto` where the CI system numbers them. Remove
reports of earlier runs from the folder.

Severity: error.
"""#,
    "shard-division": #"""
The shards did not divide the checks in the same way. Some checks were run twice, or by no machine.

```text
error: found 2 divisions of the run, expected one: shards/1.json; shards/2.json [shard-division]
  fix: give all machines the same contracts, services, options and --durations
```

Fix: start all machines from the same commit, with the same options, and with the same file for `--durations`.

Severity: error.
"""#,
    "coverage": #"""
Less was exercised than required. `--require-coverage` of `understudy test` and `understudy merge` says how much
is required, `--require` of `understudy run` which cases. Notes of this type name cases that are left to another
executable, and declared errors that no contract provokes.

```text
error: found 33% exercised, expected at least 90% [coverage]
  fix: add "expect" to the cases that were not exercised
```

Fix: `understudy test -v` lists what was not exercised, and why. Add `"expect"` to those cases, or lower the
limit. For `run`, let the command request the cases, or leave them out of `--require`.

Severity: error where it is required, else note.
"""#,
    "invalid-json": #"""
The file is not valid JSON. It has a comma too many or a comment, for example, or is written as YAML.

```text
Contracts/jokes/one.json:8:57: error: found a comma before "}", expected no comma there [invalid-json]
  fix: remove the comma
```

Fix: correct the text at the place. The rest of the file is checked when it can be read.

Severity: error.
"""#,
    "duplicate-key": #"""
A key, or a header in another spelling, appears twice in one object. Programs differ in which of the two they
take.

```text
Contracts/jokes/one.json:14:5: error: key "ok" is given twice [duplicate-key]
  fix: remove one of the two, or rename it
```

Fix: remove or rename one. The values of a header that is sent several times are an array under one name.

Severity: error.
"""#,
    "unknown-key": #"""
The format has no such key. It is misspelt, belongs elsewhere, or is one of another tool.

```text
Contracts/jokes/one.json:14:57: error: unknown key "delays" in a case [unknown-key]
  fix: did you mean "delay"?
```

Fix: use the suggested key. Remarks belong in `"summary"`.

Severity: error.
"""#,
    "missing-key": #"""
A required key is missing. A request needs `"method"` and `"path"`, for example, and a case that is not
`"like"` another a `"status"`.

```text
Contracts/jokes/one.json:3:14: error: missing "method" in a request [missing-key]
  fix: add "method"
```

Fix: add the key.

Severity: error.
"""#,
    "conflicting-keys": #"""
Two keys exclude each other. A case has one body, for example: either `"body"` or `"text"`, not both.

```text
Contracts/jokes/one.json:12:43: error: found "body" and "text" in a case, expected at most one of "body", "text", "base64", "file", "events" [conflicting-keys]
  fix: remove one of the two
```

Fix: remove one of them, or make two cases.

Severity: error.
"""#,
    "wrong-type": #"""
A value has the wrong JSON type. Most often, a number is in quotes.

```text
Contracts/jokes/one.json:12:30: error: found string "404", expected a status from 200 to 599 [wrong-type]
  fix: remove the quotes: 404
```

Fix: write the value as the message expects it.

Severity: error.
"""#,
    "bad-value": #"""
A value has the right type but makes no sense. It is out of range, for example, or none of those that are
allowed.

```text
Contracts/jokes/one.json:3:26: error: found method "get", expected one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS [bad-value]
  fix: write it in capitals: "GET"
```

Fix: write a value that the message expects.

Severity: error.
"""#,
    "bad-name": #"""
A name cannot be used as one. Names of upstreams, contracts, cases, scripts and scenarios are lower-case
letters, digits and dashes; keys of conditions begin with `path.`, `query.` or `header.`.

```text
Contracts/jokes/one.json:12:5: error: found case "Not Found", expected a name of lower-case letters, digits and dashes [bad-name]
```

Fix: rename it, the file or folder where it is the name of one, and whatever refers to it.

Severity: error.
"""#,
    "bad-path": #"""
The path of a request is not valid. It begins with a slash, follows the base URL, and has no query; a
parameter is a whole segment in braces.

```text
Contracts/jokes/one.json:3:41: error: found segment ":id" in path "/jokes/:id", expected a parameter such as {id} [bad-path]
  fix: write "/jokes/{id}", or "%3Aid" for the characters themselves
```

Fix: write parameters as `{id}`, and a query as conditions: `"parameters": { "query.page": "2" }`.

Severity: error.
"""#,
    "bad-pattern": #"""
A regular expression is not valid. Patterns are those of ECMAScript with the u flag, without backreferences,
which take more than linear time.

```text
Contracts/jokes/one.json:3:96: error: "(" without its ")", at character 2 of the pattern [bad-pattern]
  fix: write \( for the character itself
```

Fix: correct the pattern. In JSON, each backslash is written twice: `"\\("`.

Severity: error.
"""#,
    "bad-schema": #"""
A JSON Schema is not valid, or has a keyword without effect. Schemas are those of draft 2020-12.

```text
Contracts/jokes/one.json:9:49: error: "requierd" is not a keyword and has no effect [bad-schema]
  fix: did you mean "required"?
```

Fix: correct the keyword or its value.

Severity: error.
"""#,
    "bad-template": #"""
Braces look like an expression but are not one. Only parts that `"template"` names have expressions, and the
names and values of states.

```text
Contracts/jokes/one.json:8:26: error: found "{path.ids}", expected a parameter of the path [bad-template]
  fix: did you mean "id"?
```

Fix: write one of these: `{server.baseURL}`, `{server.NAME.baseURL}`, `{path.NAME}`, `{query.NAME}`,
`{header.NAME}`, `{body.POINTER}`, `{body}`, `{state.NAME}`, `{state.NAME.*}`, `{uuid}`, `{counter}`, `{now}` or
one of its forms, such as `{now -3d/d}`, and `{random.1-6}`. For the characters themselves, put a backslash before
the brace: `"\\{path.ids}"`.

Severity: error.
"""#,
    "undeclared-callback": #"""
A callback leads to a host that its upstream does not declare. [Callbacks](responses.md#callbacks) go to this
machine and to declared hosts only, and never to link-local addresses.

```text
Contracts/jokes/one.json:12:67: error: hooks.example.com is neither on this machine nor declared by jokes [undeclared-callback]
  fix: let the request name an address on this machine, or add "hooks.example.com" to "callbacks" in jokes/upstream.json
```

Fix: write a template of the request in place of the address, such as `"{body./callbackUrl}"`, or declare the host
in upstream.json: `"callbacks": ["hooks.example.com"]`.

Severity: error.
"""#,
    "delay-unit": #"""
A duration has no unit. Durations are strings that end in `ms`, `s`, `m` or `h`.

```text
Contracts/jokes/one.json:14:49: error: found number 2, expected a duration with a unit: ms, s, m or h [delay-unit]
  fix: write "2ms" or "2s"
```

Fix: write it as a string with a unit: `"2s"`.

Severity: error.
"""#,
    "unreadable-file": #"""
A file is missing, cannot be read, or is outside the contracts. It may be the body of a case, or the
upstream.json that each folder of contracts needs.

```text
Contracts/jokes/one.json:12:43: error: cannot read Contracts/jokes/files/none.txt: no such file or directory [unreadable-file]
  fix: write its path as seen from the contract's folder
```

Fix: correct the path, which begins at the folder of the contract, or add the file. Bodies have to be in the
folder of their upstream.

Severity: error.
"""#,
    "unexpected-file": #"""
A file is in the wrong place, or a link points to nothing. It would not be read, which nobody would notice.

```text
Contracts/jokes/v2: error: two.json is two folders deep, where contracts are not read [unexpected-file]
  fix: move it to Contracts/jokes/two.json, or into Contracts/jokes/files if it is a body
```

Fix: move contracts into the folder of their upstream, and bodies into its folder files.

Severity: error.
"""#,
    "secret": #"""
A value looks like a credential. Contracts are committed and shared, so everyone who can read them could use
it.

```text
Contracts/jokes/one.json:3:96: error: the value for Authorization in a file may be a secret [secret]
  fix: use an obviously invented one, such as "invented"
```

Fix: revoke the credential if it was a real one. Write an obviously invented value, such as `"Bearer
invented"`; the real one comes from the environment, by `"secrets"` in upstream.json.

Severity: error.
"""#,
    "unknown-case": #"""
No case has this name. A `"like"`, a `"default"`, a script or a `"with"` names it.

```text
Contracts/jokes/one.json:14:23: error: "okay" is not a case of this contract [unknown-case]
  fix: did you mean "ok"?
```

Fix: correct the name, or add the case.

Severity: error.
"""#,
    "unknown-endpoint": #"""
No contract or upstream has this name. A scenario, a `"with"` or the `"upstreams"` of a consumer names it.

```text
Contracts/consumers.json:2:32: error: upstream "joke" does not exist [unknown-endpoint]
  fix: did you mean "jokes"?
```

Fix: correct the name, which is that of the file or folder.

Severity: error.
"""#,
    "unknown-parameter": #"""
The request has no such parameter. A condition or a `"live"` names one that is not in the path, or that the
request does not have.

```text
Contracts/jokes/one.json:3:84: error: "path.ids" is not in any path of this request [unknown-parameter]
  fix: did you mean "path.id"?
```

Fix: correct the name, or add the parameter: `{ids}` in the path, or a condition in `"parameters"`.

Severity: error.
"""#,
    "unknown-fault": #"""
No fault has this name.

```text
Contracts/jokes/one.json:15:25: error: found string "CONNECTION_RESET", expected one of "EMPTY_RESPONSE", "MALFORMED_RESPONSE_CHUNK", "RANDOM_DATA_THEN_CLOSE", "CONNECTION_RESET_BY_PEER", "CONNECTION_RESET_IN_BODY", "CONNECTION_CLOSED_IN_BODY", "MALFORMED_STATUS_LINE", "MALFORMED_HEADER", "TLS_EXPIRED", "TLS_NOT_YET_VALID", "TLS_SELF_SIGNED", "TLS_WRONG_HOST", "TLS_UNKNOWN_AUTHORITY", "TLS_HANDSHAKE_ABORTED", "TLS_OLD_PROTOCOL", "TLS_CLOSED_WITHOUT_NOTICE" [unknown-fault]
  fix: did you mean "CONNECTION_RESET_BY_PEER"?
```

Fix: write one of the faults that the message lists.

Severity: error.
"""#,
    "unknown-consumer": #"""
A consumer is not declared, or not for this upstream. An `"expect"` names it.

```text
Contracts/jokes/one.json:10:31: error: consumer "jokes.on" is not declared in consumers.json [unknown-consumer]
  fix: did you mean "jokes.one"?
```

Fix: correct the name, or declare it in consumers.json with this upstream in its `"upstreams"`.

Severity: error.
"""#,
    "unknown-error": #"""
The consumer does not declare this error, or declares it differently. For example, consumers.json gives it a
payload, and the case has none.

```text
Contracts/jokes/one.json:10:43: error: consumers.json declares no error "invalidDate" for jokes.one [unknown-error]
  fix: did you mean "invalidData"?
```

Fix: correct the name, or add it to `"errors"` of the consumer, with the JSON type of its payload, or `null`.

Severity: error.
"""#,
    "unknown-argument": #"""
The consumer does not declare this argument.

```text
Contracts/jokes/one.json:10:70: error: jokes.one has no argument "ids" [unknown-argument]
  fix: did you mean "id"?
```

Fix: correct the name, or add it to `"arguments"` of the consumer in consumers.json, with its JSON type.

Severity: error.
"""#,
    "unknown-rule": #"""
A waiver names a rule that cannot be waived. There is no such rule, or it is an error.

```text
Contracts/jokes/one.json:17:14: error: rule "no-404" does not exist [unknown-rule]
  fix: did you mean "no-404-case"?
```

Fix: correct the name. Errors have to be fixed; only warnings of lint can be waived.

Severity: error.
"""#,
    "circular-like": #"""
A `like` leads back to itself.

```text
Contracts/jokes/one.json:14:23: error: "slow" is like "not-found", which leads back to "slow" [circular-like]
  fix: remove "like" from one of them
```

Fix: write the response out in one of the cases, and let the others be like it.

Severity: error.
"""#,
    "schema-mismatch": #"""
A body breaks its own schema. The example in a case and the schema beside it contradict each other, so one of
them does not describe the API.

```text
Contracts/jokes/one.json:8:15: error: missing "punchline": the body does not match its schema [schema-mismatch]
  fix: correct the body or the schema at 9:17
```

Fix: correct the one that is wrong. A body that is wrong on purpose is a case with `"malform"`.

Severity: error.
"""#,
    "not-malformed": #"""
A malformed case is not malformed. What `"malform"` sends still is valid and matches its schema, so no
consumer could notice it.

```text
Contracts/jokes/one.json:13:54: error: the malformed body is still valid JSON that matches its schema [not-malformed]
  fix: mutate a part that matters
```

Fix: change a part that the schema describes, or add `"schema"` to the case that this one is like.

Severity: error.
"""#,
    "ambiguous": #"""
Nothing decides between two contracts, upstreams or live cases. Both match the same request, and neither takes
precedence.

```text
Contracts/jokes/two.json:3:14: error: jokes/one also matches this request, and neither takes precedence [ambiguous]
  fix: add a condition to one of them, or make them cases of one contract
```

Fix: of two contracts with equal paths, the one with more conditions wins, so add one to `"parameters"`. Two
upstreams of one address need `"hosts"` of their own; two live cases need other `"parameters"` in `"live"`.

Severity: error.
"""#,
    "unreachable": #"""
A contract or case is never served. Another one always takes precedence, or its conditions cannot hold
together.

```text
Contracts/jokes/one.json:14:23: error: this case is never served: "not-found" comes first, with the same requests and state [unreachable]
  fix: change one "when", or remove it and choose the case by hand
```

Fix: change the conditions of one of the two, or remove it. A case without `"when"` is served when it is
chosen.

Severity: error.
"""#,
    "not-live": #"""
A live case cannot be provoked. It is malformed, slow or broken, depends on state, a count or a share, lacks
a value for a parameter, would change data, or the `when` of another case takes its request; or the upstream has no
`"baseURL"`.

```text
Contracts/jokes/one.json:10:15: error: this live case has no value for "path.id", which its request needs [not-live]
  fix: give the parameter an "example", or "live": { "parameters": { "path.id": … } }
```

Fix: give the parameter a value; write `"safe": true` if a request that is not GET may be sent in every run;
or remove `"live"`.

Severity: error.
"""#,
    "no-contract": #"""
An upstream has no contract. There is only its upstream.json.

```text
Contracts/more/upstream.json: warning: this upstream has no contract [no-contract]
  fix: add Contracts/more/<endpoint>.json
```

Fix: add a contract, or let `understudy record` write one; or remove the folder.

Severity: warning, which cannot be waived.
"""#,
    "no-404-case": #"""
No case has status 404. Most endpoints can fail to find something, and consumers should be tested with it.

```text
Contracts/jokes/one.json:4:12: warning: no 404 among the cases [no-404-case]
  fix: add a case with "status": 404, or waive "no-404-case"
```

Fix: add `"not-found": { "status": 404 }`. If the endpoint always finds something, waive the rule in the
contract, or in upstream.json for all its contracts: `"waive": { "no-404-case": "there is always a joke" }`.

Severity: warning.
"""#,
    "no-malformed-case": #"""
There are bodies, but no malformed one. What a consumer makes of a body that is cut off is not tested.

```text
Contracts/jokes/one.json:4:12: warning: no malformed response among the cases [no-malformed-case]
  fix: add a case with "malform", or waive "no-malformed-case"
```

Fix: add `"cut-short": { "like": "ok", "malform": { "truncateAt": 17 } }`, or waive the rule with the reason:
`"waive": { "no-malformed-case": "REASON" }`.

Severity: warning.
"""#,
    "no-slow-case": #"""
No case is slow. What a consumer does while it waits is not tested.

```text
Contracts/jokes/one.json:4:12: warning: no slow response among the cases [no-slow-case]
  fix: add a case with "delay", or waive "no-slow-case"
```

Fix: add `"slow": { "like": "ok", "delay": { "fixed": "2s" } }`, or waive the rule with the reason: `"waive":
{ "no-slow-case": "REASON" }`.

Severity: warning.
"""#,
    "no-broken-case": #"""
No case breaks on the wire. What a consumer does when the connection is lost is not tested. A case that breaks
the TLS handshake does not count, because it comes before any response.

```text
Contracts/jokes/one.json:4:12: warning: no response that breaks on the wire among the cases [no-broken-case]
  fix: add a case with "fault", or waive "no-broken-case"
```

Fix: add `"reset": { "fault": "CONNECTION_RESET_BY_PEER" }`, or waive the rule with the reason: `"waive": {
"no-broken-case": "REASON" }`.

Severity: warning.
"""#,
    "no-empty-case": #"""
There are collections, but no empty one. A good response is an array or has one, and in no case are all of
them empty.

```text
Contracts/jokes/one.json:4:12: warning: no empty collection among the cases [no-empty-case]
  fix: add a case whose array is empty, or waive "no-empty-case"
```

Fix: add `"none": { "like": "ok", "body": [] }`, or waive the rule with the reason: `"waive": {
"no-empty-case": "an organisation always has repositories" }`.

Severity: warning.
"""#,
    "unset-state": #"""
A state is required but never set. The `"when"` of a case asks for a value that no `"then"`, no scenario and
no `"state"` of upstream.json gives it.

```text
Contracts/jokes/one.json:12:43: warning: no case or scenario sets state "jokes" to "none" [unset-state]
  fix: set it in a "then", or waive this if it is set by hand
```

Fix: set it in the `"then"` of the case after which this one comes. If it is set through the admin API, waive
the rule: `"waive": { "unset-state": "tests set it" }`.

Severity: warning.
"""#,
    "unused-waiver": #"""
A waiver names a rule that is not broken. It would hide the next finding of that rule.

```text
Contracts/jokes/one.json:17:29: warning: the waiver of "no-404-case" is not needed: that rule is not broken [unused-waiver]
  fix: remove it
```

Fix: remove the waiver.

Severity: warning, which cannot be waived.
"""#,
  ]
}
