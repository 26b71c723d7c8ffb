"""Asks every route of the admin API for good and for bad input, without a client library.

Arguments: the file to write, a program that takes WireMock's options, an empty folder, and the port of an
upstream. The bytes of every exchange go to a second file, whose name ends in `.raw`."""

import http.client
import json
import sys
import time
from pathlib import Path
from typing import Any

import servers
import transcript

out, program, folder, upstream = sys.argv[1], sys.argv[2], Path(sys.argv[3]), int(sys.argv[4])
writer = transcript.Writer(out)
writer.call(f":{upstream}", "upstream")
writer.call(folder, "folder")
raw = open(out + ".raw", "w", encoding="utf-8")
NOBODY = "00000000-0000-4000-8000-0000000000ff"
port = 0


def ask(
        name: str, method: str, path: str, sent: Any = None, expected: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None) -> Any:
    """Makes a request, writes what came back, and gives its JSON."""
    data = sent if isinstance(sent, (str, bytes)) or sent is None else json.dumps(sent)
    data = data.encode() if isinstance(data, str) else data
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request(method, path, data, headers or {})
        answer = connection.getresponse()
        received = answer.read()
    except (OSError, http.client.HTTPException) as error:
        writer.step(name, {"raised": type(error).__name__})
        raw.write(f"=== {name}\n{method} {path}\n{data or b''!r}\n--- {error!r}\n\n")
        return None
    finally:
        connection.close()
    kind = answer.getheader("Content-Type") or ""
    pairs = [f"{key}: {value}" for key, value in answer.getheaders()]
    raw.write(
        f"=== {name}\n{method} {path}\n{(data or b'').decode(errors='replace')}\n--- {answer.status} {answer.reason}\n"
        + "\n".join(pairs) + f"\n\n{received.decode(errors='replace')[:6000]}\n\n")
    outcome: dict[str, Any] = {
        "status": answer.status, "type": kind.replace(" ", "").lower(), "body": transcript.body(received, kind)}
    if answer.status == 404 and transcript.is_miss(received.decode(errors="replace")) and "/__admin" not in path:
        outcome = {"status": 404, "body": "<a miss>"}
    for header in ("Location", "Matched-Stub-Id", "Matched-Stub-Name"):
        if answer.getheader(header):
            outcome[header] = answer.getheader(header)
    try:
        value = json.loads(received)
    except ValueError:
        value = None
    if expected is not None and "shape" in expected:
        outcome["shape"] = shape(value)
    writer.step(name, outcome, expected)
    return value


def got(path: str) -> Any:
    """The JSON at a path, without a step."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("GET", path)
        return json.loads(connection.getresponse().read())
    except (OSError, http.client.HTTPException, ValueError):
        return {}
    finally:
        connection.close()


def admin(name: str, method: str, path: str, sent: Any = None, expected: dict[str, Any] | None = None) -> Any:
    return ask(name, method, "/__admin" + path, sent, expected)


def shape(value: Any) -> Any:
    """The keys and types of a value."""
    if isinstance(value, dict):
        return {key: shape(part) for key, part in value.items()}
    if isinstance(value, list):
        return [shape(part) for part in value[:1]]
    names = {bool: "boolean", int: "number", float: "number", str: "string", type(None): "null"}
    return names[type(value)]


def given(number: int) -> str:
    return f"{transcript.GIVEN}0000-4000-8000-{number:012d}"


def stub(number: int, path: str, **more: Any) -> dict[str, Any]:
    return {
        "id": given(number), "request": {"method": "GET", "urlPath": path},
        "response": {"status": 200, "body": f"stub {number}"}} | more


def empty(name: str) -> None:
    admin(f"{name}: all stubs deleted", "DELETE", "/mappings")
    admin(f"{name}: all requests deleted", "DELETE", "/requests")


# What bodies of a stub are sent, apart from good ones.
NONSENSE: list[tuple[str, Any]] = [
    ("nothing", ""), ("not JSON", "{"), ("a list", []), ("a string", '"text"'), ("null", "null"), ("a number", "1"),
    ("an empty object", {}), ("an unknown member", {"nonsense": 1}),
    ("an unknown member of the request", {"request": {"nonsense": 1}}),
    ("an unknown member of the response", {"request": {"url": "/x"}, "response": {"nonsense": 1}}),
    ("a status that is text", {"request": {"url": "/x"}, "response": {"status": "text"}}),
    ("a status that is a number as text", {"request": {"url": "/x"}, "response": {"status": "201"}}),
    ("a matcher that does not exist", {"request": {"url": "/x", "headers": {"A": {"nonsense": "b"}}}}),
    ("a matcher that is text", {"request": {"url": "/x", "headers": {"A": "b"}}}),
    ("a body pattern that does not exist", {"request": {"url": "/x", "bodyPatterns": [{"nonsense": "b"}]}}),
    ("body patterns that are no list", {"request": {"url": "/x", "bodyPatterns": {"equalTo": "b"}}}),
    ("a pattern that cannot be read", {"request": {"urlPattern": "/x["}}),
    ("a header pattern that cannot be read", {"request": {"url": "/x", "headers": {"A": {"matches": "["}}}}),
    ("a JSONPath that cannot be read", {"request": {"url": "/x", "bodyPatterns": [{"matchesJsonPath": "$["}]}}),
    ("JSON that cannot be read", {"request": {"url": "/x", "bodyPatterns": [{"equalToJson": "{"}]}}),
    ("two URLs", {"request": {"url": "/x", "urlPattern": "/y"}}),
    ("a method of its own", {"request": {"url": "/x", "method": "FETCH"}}),
    ("a method in small letters", {"request": {"url": "/x", "method": "get"}}),
    ("a fault that does not exist", {"request": {"url": "/x"}, "response": {"fault": "NONSENSE"}}),
    ("a delay that is text", {"request": {"url": "/x"}, "response": {"fixedDelayMilliseconds": "x"}}),
    ("a distribution that does not exist", {
        "request": {"url": "/x"}, "response": {"delayDistribution": {"type": "nonsense"}}}),
    ("a priority that is text", {"priority": "x", "request": {"url": "/x"}}),
    ("an id that is no UUID", {"id": "nonsense", "request": {"url": "/x"}}),
    ("two bodies", {"request": {"url": "/x"}, "response": {"body": "a", "jsonBody": {"b": 1}}}),
    ("a state without a scenario", {"request": {"url": "/x"}, "requiredScenarioState": "two"}),
    ("a scenario without states", {"request": {"url": "/x"}, "scenarioName": "alone"}),
    ("without a request", {"response": {"status": 200}}),
    ("without a response", {"request": {"url": "/x"}}),
    ("many at once", {"mappings": [{"request": {"url": "/x"}}, {"request": {"url": "/y"}}]}),
    ("metadata that is a list", {"request": {"url": "/x"}, "metadata": []}),
    ("a name and a description", {"name": "named", "request": {"url": "/x"}, "metadata": {"description": "d"}}),
]


def roots() -> None:
    ask("GET /__admin", "GET", "/__admin")
    ask("GET /__admin/", "GET", "/__admin/")
    admin("no such route", "GET", "/nonsense")
    admin("no such method", "PATCH", "/mappings")
    admin("GET /health", "GET", "/health", expected={"status": 200, "type": "application/json", "shape": {
        "status": "string", "message": "string", "version": "string", "uptimeInSeconds": "number",
        "timestamp": "string"}})
    admin("GET /version", "GET", "/version", expected={"status": 200, "shape": {"version": "string"}})
    ask("a request without any stub", "GET", "/nothing")


def mappings() -> None:
    admin("GET /mappings: none", "GET", "/mappings")
    admin("POST /mappings", "POST", "/mappings", stub(1, "/one", name="first", metadata={"team": "a"}))
    admin("POST /mappings: uuid in place of id", "POST", "/mappings", {
        "uuid": given(2), "request": {"url": "/two"}, "response": {"jsonBody": {"a": [1]}}})
    made = admin("POST /mappings: neither", "POST", "/mappings", {"request": {"url": "/three"}, "response": {}})
    writer.step("POST /mappings: id is uuid", bool(made) and made.get("id") == made.get("uuid"))
    admin("POST /mappings: everything", "POST", "/mappings", {
        "id": given(4), "name": "all of it", "priority": 2, "persistent": False, "scenarioName": "s",
        "requiredScenarioState": "Started", "newScenarioState": "two", "metadata": {"a": {"b": [1]}},
        "request": {
            "method": "POST", "urlPathPattern": "/all/[0-9]+", "queryParameters": {"q": {"contains": "x"}},
            "headers": {"Accept": {"matches": ".*json"}, "X-No": {"absent": True}},
            "cookies": {"c": {"equalTo": "1", "caseInsensitive": True}},
            "basicAuthCredentials": {"username": "ada", "password": "pass"},
            "bodyPatterns": [{"equalToJson": {"a": 1}, "ignoreArrayOrder": True, "ignoreExtraElements": True},
                             {"matchesJsonPath": {"expression": "$.a", "matches": "[0-9]"}}]},
        "response": {
            "status": 201, "statusMessage": "Made", "headers": {"A": "b", "C": ["d", "e"]}, "body": "text",
            "fixedDelayMilliseconds": 10, "transformers": ["response-template"],
            "transformerParameters": {"p": 1}}})
    ask("asked: /one", "GET", "/one?any=thing")
    ask("asked: /two", "PUT", "/two")
    ask("asked: /three", "GET", "/three")
    for name, path in (
            ("all", ""), ("limit 1", "?limit=1"), ("limit 0", "?limit=0"), ("offset 1", "?offset=1"),
            ("both", "?limit=1&offset=2"), ("a large limit", "?limit=1000"), ("offset at the end", "?offset=4"),
            ("offset past the end", "?offset=5"), ("a negative limit", "?limit=-1"), ("a limit that is text",
            "?limit=x"),
            ("an offset that is text", "?offset=x"), ("unknown parameters", "?nonsense=1")):
        admin(f"GET /mappings: {name}", "GET", f"/mappings{path}")
    for method, sent in (("GET", None), ("PUT", stub(1, "/one")), ("DELETE", None)):
        admin(f"{method} /mappings/ID: unknown", method, f"/mappings/{NOBODY}", sent)
        admin(f"{method} /mappings/ID: no UUID", method, "/mappings/nonsense", sent)
    admin("GET /mappings/ID", "GET", f"/mappings/{given(1)}")
    admin("PUT /mappings/ID", "PUT", f"/mappings/{given(1)}", stub(1, "/one", response={"status": 202}))
    ask("asked: after PUT", "GET", "/one")
    admin("PUT /mappings/ID: without an id", "PUT", f"/mappings/{given(1)}", {
        "request": {"url": "/one"}, "response": {"body": "no id"}})
    admin("PUT /mappings/ID: the id of another", "PUT", f"/mappings/{given(1)}", stub(9, "/one"))
    for name, sent in NONSENSE[:10]:
        admin(f"PUT /mappings/ID: {name}", "PUT", f"/mappings/{given(1)}", sent)
    admin("GET /mappings/ID: after PUT", "GET", f"/mappings/{given(1)}")
    admin("DELETE /mappings/ID", "DELETE", f"/mappings/{given(1)}")
    admin("DELETE /mappings/ID: once more", "DELETE", f"/mappings/{given(1)}")
    admin("GET /mappings/ID: deleted", "GET", f"/mappings/{given(1)}")
    empty("mappings")
    for name, sent in NONSENSE:
        admin(f"POST /mappings: {name}", "POST", "/mappings", sent)
        admin(f"POST /mappings: {name}, how many there are", "GET", "/mappings?limit=0")
        admin(f"POST /mappings: {name}, deleted", "DELETE", "/mappings")
    for name, kind in (("form", "application/x-www-form-urlencoded"), ("text", "text/plain")):
        ask(f"POST /mappings: sent as a {name}", "POST", "/__admin/mappings", stub(5, "/kind"),
            headers={"Content-Type": kind})
    for method in ("DELETE", "GET"):
        admin(f"{method} /mappings/unmatched", method, "/mappings/unmatched", expected={"status": 200})
    for number in range(3):
        admin(f"three of one path: {number}", "POST", "/mappings", stub(10 + number, "/same"))
    ask("three of one path: asked", "GET", "/same")
    admin("the middle one edited", "PUT", f"/mappings/{given(11)}", stub(11, "/same"))
    ask("the middle one edited: asked", "GET", "/same")
    admin("the middle one edited: all", "GET", "/mappings")
    empty("mappings, at the end")


def metadata() -> None:
    for number, team in ((20, "a"), (21, "b"), (22, "a")):
        admin(f"metadata: stub {number}", "POST", "/mappings", stub(number, f"/m/{number}",
            metadata={"team": team, "n": number}))
    admin("metadata: a stub without", "POST", "/mappings", stub(23, "/m/23"))
    patterns: list[tuple[str, Any]] = [
        ("by a value", {"matchesJsonPath": {"expression": "$.team", "equalTo": "a"}}),
        ("by a path", {"matchesJsonPath": "$.team"}), ("by a filter", {"matchesJsonPath": "$[?(@.n > 20)]"}),
        ("by equality", {"equalToJson": {"team": "b", "n": 21}}), ("by text", {"contains": "team"}),
        ("of none", {"matchesJsonPath": "$.none"}), ("by nonsense", {"nonsense": 1}), ("by nothing", ""),
        ("by what is not JSON", "{"), ("by an empty object", {})]
    for name, pattern in patterns:
        admin(f"find-by-metadata: {name}", "POST", "/mappings/find-by-metadata", pattern)
    ask("metadata: asked 20", "GET", "/m/20")
    ask("metadata: asked 21", "GET", "/m/21")
    admin("requests/remove-by-metadata", "POST", "/requests/remove-by-metadata", patterns[0][1])
    admin("requests/remove-by-metadata: of none", "POST", "/requests/remove-by-metadata", patterns[5][1])
    admin("requests/remove-by-metadata: by nonsense", "POST", "/requests/remove-by-metadata", patterns[6][1])
    admin("remove-by-metadata: by nonsense", "POST", "/mappings/remove-by-metadata", {"nonsense": 1})
    admin("remove-by-metadata", "POST", "/mappings/remove-by-metadata", patterns[0][1])
    admin("remove-by-metadata: what is left", "GET", "/mappings")
    empty("metadata")


def importing() -> None:
    admin("import: a stub before", "POST", "/mappings", stub(30, "/i/30"))
    admin("import", "POST", "/mappings/import", {"mappings": [stub(31, "/i/31"), stub(32, "/i/32")]})
    admin("import: all", "GET", "/mappings")
    for policy in ("OVERWRITE", "IGNORE", "NONSENSE"):
        admin(f"import: {policy}", "POST", "/mappings/import", {
            "mappings": [stub(31, "/i/31", response={"body": policy})],
            "importOptions": {"duplicatePolicy": policy, "deleteAllNotInImport": False}})
        ask(f"import: {policy}, asked", "GET", "/i/31")
    admin("import: in place of all", "POST", "/mappings/import", {
        "mappings": [stub(33, "/i/33")], "importOptions": {"duplicatePolicy": "OVERWRITE",
        "deleteAllNotInImport": True}})
    admin("import: all after that", "GET", "/mappings")
    for name, sent in (
            ("nothing", ""), ("not JSON", "{"), ("an empty object", {}), ("a list", []),
            ("an unknown member", {"nonsense": 1}), ("a nonsense stub", {"mappings": [{"nonsense": 1}]})):
        admin(f"import: {name}", "POST", "/mappings/import", sent)
    empty("import")


def resets(root: Path) -> None:
    for name in ("mappings", "__files"):
        (root / name).mkdir(exist_ok=True)
    (root / "mappings/two.json").write_text(json.dumps(stub(41, "/disk/41")))
    (root / "mappings/one.json").write_text(json.dumps(stub(42, "/disk/42")))
    admin("POST /mappings/reset", "POST", "/mappings/reset")
    admin("reset: a stub that is not on disk", "POST", "/mappings", stub(43, "/memory"))
    admin("reset: a stub of the disk edited", "PUT", f"/mappings/{given(42)}", stub(42, "/disk/42",
        response={"body": "edited"}))
    ask("reset: asked for what was edited", "GET", "/disk/42")
    ask("reset: asked for the memory", "GET", "/memory")
    admin("POST /reset", "POST", "/reset")
    ask("reset: asked for what was edited, after it", "GET", "/disk/42")
    ask("reset: asked for the memory, after it", "GET", "/memory")
    ask("reset: asked for another file", "GET", "/disk/41")
    admin("reset: the journal after it", "GET", "/requests?limit=0")
    admin("DELETE /mappings/ID: of a file", "DELETE", f"/mappings/{given(42)}")
    writer.step("DELETE /mappings/ID: the file is there", (root / "mappings/one.json").exists())
    admin("save: persistent", "POST", "/mappings", stub(44, "/saved", persistent=True, name="a saved one"))
    writer.step("save: files of one persistent stub", len(list((root / "mappings").iterdir())))
    admin("save: not persistent", "POST", "/mappings", stub(45, "/saved2"))
    admin("POST /mappings/save", "POST", "/mappings/save")
    # The order of files is not defined.
    writer.step("POST /mappings/save: what is persistent", sorted(
        [each["id"], each.get("persistent", False)]
        for each in got("/__admin/mappings").get("mappings", [])))
    admin("save: reset", "POST", "/mappings/reset")
    ask("save: asked after a reset", "GET", "/saved2")
    admin("save: DELETE /mappings", "DELETE", "/mappings")
    writer.step("save: files after DELETE /mappings", sorted(each.name for each in (root / "mappings").iterdir()))
    for name in ("mappings/new", "mappings/edit", "mappings/remove"):
        admin(f"POST /{name}", "POST", f"/{name}", stub(46, "/old"))
    empty("resets")


def scenarios() -> None:
    admin("GET /scenarios: none", "GET", "/scenarios")
    for number, (before, after) in enumerate((("Started", "two"), ("two", "three")), 50):
        admin(f"scenario: {before}", "POST", "/mappings", stub(
            number, "/s", scenarioName="steps", requiredScenarioState=before, newScenarioState=after))
    admin("GET /scenarios", "GET", "/scenarios")
    ask("scenario: asked", "GET", "/s")
    path = "/scenarios/steps/state"
    admin("PUT /scenarios/NAME/state", "PUT", path, {"state": "Started"})
    ask("scenario: asked after the state was set", "GET", "/s")
    admin("PUT state: a state that does not exist", "PUT", path, {"state": "nonsense"})
    admin("PUT state: nothing", "PUT", path, "")
    admin("GET /scenarios: after nothing", "GET", "/scenarios")
    for name, sent in (("not JSON", "{"), ("an empty object", {}), ("null", {"state": None}),
            ("an unknown member", {"x": 1})):
        admin(f"PUT state: {name}", "PUT", path, sent)
    admin("PUT state: a scenario of two words", "POST", "/mappings", stub(52, "/w", scenarioName="two words"))
    admin("PUT state: a name with a space", "PUT", "/scenarios/two%20words/state", {"state": "Started"})
    admin("PUT state: an unknown scenario", "PUT", "/scenarios/none/state", {"state": "two"})
    admin("PUT state: an unknown scenario, nothing", "PUT", "/scenarios/none/state")
    ask("scenario: asked once more", "GET", "/s")
    admin("POST /scenarios/reset", "POST", "/scenarios/reset")
    ask("scenario: asked after a reset", "GET", "/s")
    empty("scenarios")
    admin("GET /scenarios: none any more", "GET", "/scenarios")


def journal() -> None:
    admin("journal: no requests", "GET", "/requests")
    admin("journal: no unmatched", "GET", "/requests/unmatched")
    admin("journal: no near misses", "GET", "/requests/unmatched/near-misses")
    admin("journal: a stub", "POST", "/mappings", stub(60, "/j", request={"urlPath": "/j"}, metadata={"a": 1}))
    admin("journal: a delayed stub", "POST", "/mappings", stub(61, "/late", response={
        "jsonBody": {"a": 1}, "headers": {"Content-Type": "application/json", "X": ["1", "2"]},
        "fixedDelayMilliseconds": 20}))
    ask("journal: GET", "GET", "/j?a=1&a=2&b", headers={"X-A": "a", "Cookie": "c=1; d=2"})
    ask("journal: POST", "POST", "/j", "sent ü", headers={"Content-Type": "text/plain; charset=utf-8", "X-Twice": "1"})
    ask("journal: a form", "POST", "/j", "a=1&b=2", headers={"Content-Type": "application/x-www-form-urlencoded"})
    ask("journal: bytes", "POST", "/j", bytes([0, 1, 255]), headers={"Content-Type": "application/octet-stream"})
    ask("journal: late", "GET", "/late")
    ask("journal: a miss", "GET", "/missed?x=1")
    listed = admin("GET /requests", "GET", "/requests")
    events = listed["requests"] if listed and listed.get("requests") else []
    last = events[0]["id"] if events else NOBODY
    writer.call(last, "the last request")
    for name, path in (
            ("limit 1", "?limit=1"), ("limit 0", "?limit=0"), ("a negative limit", "?limit=-1"),
            ("a limit that is text", "?limit=x"),
            ("since long ago", "?since=2000-01-01T00:00:00Z&limit=1"), ("since the future",
            "?since=2999-01-01T00:00:00Z"),
            ("since a date with a zone", "?since=2999-01-01T00:00:00%2B02:00"), ("since a day", "?since=2999-01-01"),
            ("since nonsense", "?since=nonsense"), ("since nothing", "?since="), ("unmatched", "?unmatched=true"),
            ("not unmatched", "?unmatched=false&limit=1"), ("unmatched without a value", "?unmatched&limit=1"),
            ("of a stub", f"?matchingStub={given(61)}"), ("of no stub", f"?matchingStub={NOBODY}"),
            ("of no UUID", "?matchingStub=nonsense"), ("both", f"?unmatched=true&matchingStub={given(61)}"),
            ("unknown parameters", "?nonsense=1&limit=1")):
        admin(f"GET /requests: {name}", "GET", f"/requests{path}")
    admin("GET /requests/ID", "GET", f"/requests/{last}")
    admin("GET /requests/ID: unknown", "GET", f"/requests/{NOBODY}")
    admin("GET /requests/ID: no UUID", "GET", "/requests/nonsense")
    patterns: list[tuple[str, Any]] = [
        ("a path", {"urlPath": "/j"}), ("a method", {"method": "POST"}), ("everything", {}), ("none",
        {"url": "/never"}),
        ("a header", {"headers": {"X-A": {"equalTo": "a"}}}), ("a query", {"queryParameters": {"a": {"equalTo": "2"}}}),
        ("a body", {"bodyPatterns": [{"contains": "sent"}]}), ("nothing", ""), ("not JSON", "{"), ("a list", []),
        ("an unknown member", {"nonsense": 1}), ("a nonsense matcher", {"headers": {"A": {"nonsense": 1}}}),
        ("a custom matcher", {"customMatcher": {"name": "none"}})]
    for route in ("count", "find"):
        for name, pattern in patterns:
            admin(f"POST /requests/{route}: {name}", "POST", f"/requests/{route}", pattern)
    admin("GET /requests/unmatched", "GET", "/requests/unmatched")
    admin("GET /requests/unmatched/near-misses", "GET", "/requests/unmatched/near-misses")
    for name, sent in (
            ("a path", {"urlPath": "/mist", "method": "GET"}), ("nothing", ""), ("not JSON", "{"),
            ("an empty object", {}),
            ("an unknown member", {"nonsense": 1})):
        admin(f"POST /near-misses/request-pattern: {name}", "POST", "/near-misses/request-pattern", sent)
    for name, sent in (
            ("a request", {"url": "/k", "absoluteUrl": "http://localhost/k", "method": "GET", "headers": {}}),
            ("a URL alone", {"url": "/k"}), ("nothing", ""), ("not JSON", "{"), ("an empty object", {}),
            ("an unknown member", {"nonsense": 1})):
        admin(f"POST /near-misses/request: {name}", "POST", "/near-misses/request", sent)
    admin("DELETE /requests/ID", "DELETE", f"/requests/{last}")
    admin("DELETE /requests/ID: once more", "DELETE", f"/requests/{last}")
    admin("DELETE /requests/ID: no UUID", "DELETE", "/requests/nonsense")
    admin("POST /requests/remove: none", "POST", "/requests/remove", {"url": "/never"})
    admin("POST /requests/remove", "POST", "/requests/remove", {"method": "POST"})
    for name, sent in (("nothing", ""), ("not JSON", "{"), ("an unknown member", {"nonsense": 1})):
        admin(f"POST /requests/remove: {name}", "POST", "/requests/remove", sent)
    admin("requests after the removal", "GET", "/requests")
    admin("POST /requests/reset", "POST", "/requests/reset")
    admin("DELETE /requests", "DELETE", "/requests")
    admin("requests after all were deleted", "GET", "/requests")
    admin("admin requests are not in the journal", "POST", "/requests/count", {})
    empty("journal")


def settings() -> None:
    admin("GET /settings: none", "GET", "/settings")
    admin("settings: a stub", "POST", "/mappings", stub(70, "/g"))
    for name, sent in (
            ("a delay", {"fixedDelay": 5}), ("a uniform delay", {"delayDistribution": {"type": "uniform",
            "lower": 1, "upper": 2}}),
            ("a lognormal delay", {"delayDistribution": {"type": "lognormal", "median": 1, "sigma": 0.1}}),
            ("null", {"fixedDelay": None}), ("extended", {"extended": {"a": {"b": 1}}}), ("all", {
                "fixedDelay": 1, "delayDistribution": {"type": "fixed", "milliseconds": 1}}),
            ("text", {"fixedDelay": "x"}), ("an unknown member", {"nonsense": 1}), ("an unknown distribution", {
                "delayDistribution": {"type": "nonsense"}}), ("not JSON", "{"), ("nothing", ""),
                ("an empty object", {})):
        for method in ("POST", "PUT") if name in ("a delay", "nothing") else ("POST",):
            admin(f"{method} /settings: {name}", method, "/settings", sent)
            admin(f"GET /settings: after {method} of {name}", "GET", "/settings")
    admin("PATCH /settings/extended", "PATCH", "/settings/extended", {"extended": {"a": 1}})
    admin("PATCH /settings/extended: nothing", "PATCH", "/settings/extended", "")
    admin("PATCH /settings/extended: not JSON", "PATCH", "/settings/extended", "{")
    admin("settings: without delays", "POST", "/settings", {})
    ask("settings: asked", "GET", "/g")
    empty("settings")


def files(root: Path) -> None:
    admin("GET /files: none", "GET", "/files")
    admin("PUT /files/NAME", "PUT", "/files/a.txt", "first")
    admin("PUT /files/FOLDER/NAME", "PUT", "/files/b/c.txt", b"\x00\x01")
    admin("files: one is on disk", "GET", "/files/a.txt", expected={"status": 200, "body": "first"})
    writer.step("files: on disk", sorted(
        str(each.relative_to(root)) for each in (root / "__files").rglob("*") if each.is_file()))
    listed = admin("GET /files: two", "GET", "/files", expected={"status": 200, "shape": ["string"]})
    writer.step("files: names", sorted(Path(each).name for each in listed or []))
    admin("files: a stub", "POST", "/mappings", stub(80, "/file", response={"bodyFileName": "a.txt"}))
    ask("files: asked", "GET", "/file")
    admin("files: replaced", "PUT", "/files/a.txt", "second")
    ask("files: asked after it was replaced", "GET", "/file")
    admin("DELETE /files/NAME", "DELETE", "/files/a.txt")
    admin("DELETE /files/NAME: once more", "DELETE", "/files/a.txt")
    admin("GET /files/NAME: unknown", "GET", "/files/none.txt")
    # Nothing may leave the folder; which refusal it is does not matter.
    admin("PUT /files: out of the folder", "PUT", "/files/..%2F..%2Fescaped.txt", "x")
    writer.step("files: nothing has escaped", not (root.parent / "escaped.txt").exists())
    empty("files")


def recordings(root: Path) -> None:
    target = f"http://127.0.0.1:{upstream}"
    # Ours reads the folder again when it writes to it, and what it finds there comes back.
    for file in (root / "mappings").iterdir():
        file.unlink()
    empty("before recordings")
    admin("GET /recordings/status: never started", "GET", "/recordings/status")
    admin("POST /recordings/stop: never started", "POST", "/recordings/stop")
    for name, sent in (("nothing", ""), ("an empty object", {}), ("not JSON", "{"), ("an unknown member",
            {"nonsense": 1})):
        admin(f"POST /recordings/start: {name}", "POST", "/recordings/start", sent)
    admin("POST /recordings/start", "POST", "/recordings/start", {"targetBaseUrl": target})
    admin("GET /recordings/status: started", "GET", "/recordings/status")
    ask("recording: asked", "GET", "/person?id=7")
    ask("recording: asked to echo", "POST", "/echo", "hello", headers={"Content-Type": "text/plain"})
    ask("recording: asked for what is missing", "GET", "/missing")
    admin("POST /recordings/stop", "POST", "/recordings/stop")
    admin("GET /recordings/status: stopped", "GET", "/recordings/status")
    ask("recording: asked for what was recorded", "GET", "/person?id=7")
    admin("recording: stubs", "GET", "/mappings")
    empty("recording")
    for name, sent in (("a target that is a number", {"targetBaseUrl": 5}), ("filters", {"filters": 5}),
            ("headers", {"captureHeaders": []}), ("an id", {"filters": {"ids": ["nonsense"]}}),
            ("a format", {"outputFormat": "nope"}), ("a size", {"extractBodyCriteria": {"textSizeThreshold": "x"}}),
            ("a unit", {"extractBodyCriteria": {"textSizeThreshold": "1 tb"}}),
            ("a member of a header", {"captureHeaders": {"Accept": {"nonsense": 1}}}),
            ("a member of a body", {"requestBodyPattern": {"matcher": "equalToJson", "nonsense": 1}})):
        admin(f"POST /recordings/start: {name} that is wrong", "POST", "/recordings/start", {
            "targetBaseUrl": target} | sent)
        admin(f"POST /recordings/stop: {name} that is wrong", "POST", "/recordings/stop")
    # What comes back of a recording, by what was asked for.
    for name, sent in (("with scenarios", {}), ("without scenarios", {"repeatsAsScenarios": False}),
            ("ids", {"outputFormat": "IDS"}), ("a path", {"filters": {"urlPathPattern": "/ec.*"}}),
            ("a method", {"filters": {"method": "POST"}}), ("headers", {"captureHeaders": {
            "X-A": {}, "X-B": {"caseInsensitive": True}, "X-C": {"caseInsensitive": False}}}),
            ("text in files", {"extractBodyCriteria": {"textSizeThreshold": "10"}}),
            ("bytes in files", {"extractBodyCriteria": {"binarySizeThreshold": "1"}}),
            ("bodies as text", {"requestBodyPattern": {"matcher": "equalTo"}}),
            ("bodies as text in any case", {"requestBodyPattern": {"matcher": "equalTo", "caseInsensitive": True}}),
            ("bodies in order", {"requestBodyPattern": {
            "matcher": "auto", "ignoreArrayOrder": False, "ignoreExtraElements": False, "caseInsensitive": True}})):
        admin(f"recording {name}: started", "POST", "/recordings/start", {
            "targetBaseUrl": target, "persist": False} | sent)
        for path in ("/person?id=7", "/Some/where%20else.json?a=1", "/person?id=7", "/binary", "/missing", "/person?id=7"):
            ask(f"recording {name}: {path}", "GET", path, headers={"X-A": "a", "X-B": "b"})
        for kind, sent in (("application/json", '{"a":[1,2]}'), ("text/plain", "hello"), (
                "application/x-www-form-urlencoded", "a=1&b=2"), ("multipart/form-data; boundary=b", "--b--\r\n")):
            ask(f"recording {name}: {kind}", "POST", "/echo", sent, headers={"Content-Type": kind})
        admin(f"recording {name}: snapshot", "POST", "/recordings/snapshot", {
            "persist": False, "filters": {"urlPath": "/missing"}})
        admin(f"recording {name}: stopped", "POST", "/recordings/stop")
        for number in range(4):
            ask(f"recording {name}: again {number}", "GET", "/person?id=7", headers={"X-A": "a", "X-B": "b"})
        empty(f"recording {name}")
    admin("recording: started for equal JSON", "POST", "/recordings/start", {
        "targetBaseUrl": target, "persist": False, "requestBodyPattern": {"matcher": "equalToJson"}})
    ask("recording: asked with JSON", "POST", "/echo", '{"a":1}', headers={"Content-Type": "text/plain"})
    admin("recording: stopped for equal JSON", "POST", "/recordings/stop")
    empty("recording of equal JSON")
    admin("snapshot: a stub", "POST", "/mappings", {
        "id": given(91), "request": {"url": "/own"}, "response": {"status": 201, "body": "own", "headers": {
            "Content-Type": "text/plain"}}})
    ask("snapshot: asked for the stub", "POST", "/own", "sent", headers={"Content-Type": "text/plain"})
    ask("snapshot: asked for nothing", "GET", "/nothing")
    admin("snapshot: nothing was passed on", "POST", "/recordings/snapshot", {"persist": False})
    admin("snapshot: all", "POST", "/recordings/snapshot", {"persist": False, "filters": {"allowNonProxied": True}})
    empty("snapshot of all")
    admin("recording: a proxy", "POST", "/mappings", {
        "id": given(90), "request": {"urlPattern": ".*"}, "response": {"proxyBaseUrl": target}})
    ask("recording: asked the proxy", "GET", "/person?id=8")
    admin("POST /recordings/snapshot", "POST", "/recordings/snapshot")
    admin("POST /recordings/snapshot: ids", "POST", "/recordings/snapshot", {"outputFormat": "IDS", "persist": False})
    admin("POST /recordings/snapshot: full", "POST", "/recordings/snapshot", {
        "outputFormat": "FULL", "persist": False, "repeatsAsScenarios": False, "captureHeaders": {"Accept": {}},
        "filters": {"urlPathPattern": "/per.*"}})
    admin("POST /recordings/snapshot: not JSON", "POST", "/recordings/snapshot", "{")
    admin("POST /recordings/snapshot: an unknown member", "POST", "/recordings/snapshot", {"nonsense": 1})
    empty("snapshot")


def main() -> None:
    global port
    root = folder / "root"
    with servers.Server(program, root, "--local-response-templating") as server:
        port = server.port
        writer.call(f":{port}", "port")
        roots()
        mappings()
        metadata()
        importing()
        scenarios()
        journal()
        settings()
        files(root)
        resets(root)
        recordings(root)
        admin("POST /shutdown", "POST", "/shutdown")
        writer.step("shutdown: has ended", server.has_ended())
    # Stubs of a file with several can be neither written nor deleted.
    (folder / "plain/mappings").mkdir(parents=True)
    (folder / "plain/mappings/two.json").write_text(json.dumps({"mappings": [stub(40, "/disk/40"), stub(41,
    "/disk/41")]}))
    with servers.Server(program, folder / "plain", "--no-request-journal", "--verbose",
            "--global-response-templating") as server:
        port = server.port
        writer.call(f":{port}", "port 2")
        admin("several in a file: all", "GET", "/mappings")
        ask("several in a file: asked", "GET", "/disk/40")
        admin("several in a file: edited", "PUT", f"/mappings/{given(40)}", stub(40, "/disk/40",
            response={"body": "edited"}))
        admin("several in a file: one deleted", "DELETE", f"/mappings/{given(41)}")
        admin("several in a file: saved", "POST", "/mappings/save")
        admin("no journal: a stub", "POST", "/mappings", stub(1, "/t", response={"body": "{{request.path}}"}))
        ask("no journal: a template everywhere", "GET", "/t")
        ask("no journal: a miss", "GET", "/none")
        admin("no journal: GET /requests", "GET", "/requests")
        admin("no journal: count", "POST", "/requests/count", {})
        admin("no journal: find", "POST", "/requests/find", {})
        admin("no journal: unmatched", "GET", "/requests/unmatched")
        admin("no journal: near misses", "GET", "/requests/unmatched/near-misses")
        admin("no journal: remove", "POST", "/requests/remove", {})
        admin("no journal: DELETE /requests", "DELETE", "/requests")
        admin("no journal: one", "GET", f"/requests/{NOBODY}")
        time.sleep(0.1)
    writer.close()
    raw.close()


main()
