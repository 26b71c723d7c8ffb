"""Does with the Python client (`wiremock` on PyPI) all that it can, and writes what each step results in.

Arguments: the file to write, a program that takes WireMock's options, an empty folder, and the port of an
upstream."""

import functools
import inspect
import io
import json
import sys
import tarfile
import time
import unittest
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import requests
from wiremock import client
from wiremock.base import BaseAbstractEntity, BaseResource, RestClient
from wiremock.client import (
    AllMappings,
    BasicAuthCredentials,
    CommonHeaders,
    DelayDistribution,
    DelayDistributionMethods,
    GlobalSetting,
    GlobalSettings,
    HttpMethods,
    Mapping,
    MappingRequest,
    MappingResponse,
    Mappings,
    NearMisses,
    NearMissMatchPatternRequest,
    NearMissMatchRequest,
    Requests,
    ResponseFaultType,
    Scenarios,
    WireMockMatchers,
)
from wiremock.constants import Config, datetime_to_ms, make_headers
from wiremock.exceptions import ApiException
from wiremock.server import WireMockServer
from wiremock.testing.testcontainer import WireMockContainer

import transcript

out, program, folder, upstream = sys.argv[1], sys.argv[2], Path(sys.argv[3]), int(sys.argv[4])
writer = transcript.Writer(out)
writer.call(f":{upstream}", "upstream")
writer.call(folder, "folder")
NOBODY = "00000000-0000-4000-8000-0000000000ff"
base = ""


# Steps

def told(value: Any) -> Any:
    """What a call gave, as JSON."""
    if isinstance(value, requests.Response):
        kind = value.headers.get("Content-Type", "")
        return {"status": value.status_code, "body": transcript.body(value.content, kind)}
    if isinstance(value, BaseAbstractEntity):
        return {"class": type(value).__name__, "value": value.get_json_data()}
    return value


def step(name: str, call: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """Makes the call, writes what it gave or raised, and gives what it gave."""
    try:
        value = call(*given, **named)
    except Exception as error:
        outcome: dict[str, Any] = {"raised": type(error).__name__}
        if isinstance(error, ApiException):
            said = error.args[0] if error.args else None
            outcome["status"] = error.status_code
            outcome["body"] = told_text(said) if isinstance(said, str) else type(said).__name__
        writer.step(name, outcome)
        return None
    writer.step(name, {"gave": told(value)})
    return value


def told_text(text: str) -> Any:
    return transcript.body(text.encode(), "json")


def ask(name: str, method: str, path: str, seconds_min: float = 0, **named: Any) -> None:
    """Makes a request of the kind that stubs answer."""
    start = time.monotonic()
    try:
        answer = requests.request(method, base + path, timeout=20, allow_redirects=False, **named)
    except requests.RequestException as error:
        # Which of the errors it is depends on how much has arrived.
        writer.step(name, {"raised": type(error).__name__})
        return
    outcome: dict[str, Any] = {"status": answer.status_code}
    kind = answer.headers.get("Content-Type", "")
    if answer.status_code in (403, 404) and (
            transcript.is_miss(answer.text) or answer.text.startswith("<html>")):
        outcome = {"status": 404, "body": "<a miss>"}
    else:
        outcome["reason"] = answer.reason
        outcome["headers"] = transcript.headers(list(answer.raw.headers.items()))
        outcome["body"] = transcript.body(answer.content, kind)
    if seconds_min:
        took = time.monotonic() - start
        outcome["waited"] = seconds_min <= took < seconds_min + 5
    writer.step(name, outcome)


def given(number: int) -> str:
    return f"{transcript.GIVEN}0000-4000-8000-{number:012d}"


def stub(number: int, request: dict[str, Any], response: dict[str, Any] | None = None, **more: Any) -> Mapping:
    return Mapping(
        id=given(number), request=MappingRequest(**({"method": "GET"} | request)),
        response=MappingResponse(**(response or {"status": 200, "body": f"stub {number}"})), **more)


# Which methods are called

called: set[str] = set()
all_methods: set[str] = set()


def counted(owner: type, name: str) -> None:
    """Notes calls of a public method."""
    key = f"{owner.__name__}.{name}"
    all_methods.add(key)
    raw = owner.__dict__[name]
    function = raw.__func__ if isinstance(raw, (classmethod, staticmethod)) else raw

    @functools.wraps(function)
    def wrapped(*given: Any, **named: Any) -> Any:
        called.add(key)
        return function(*given, **named)

    setattr(owner, name, type(raw)(wrapped) if isinstance(raw, (classmethod, staticmethod)) else wrapped)


def count_all() -> None:
    resources = [
        value for _, value in inspect.getmembers(client, inspect.isclass)
        if issubclass(value, BaseResource) and value is not BaseResource]
    for owner in [*resources, BaseResource, RestClient, WireMockServer, WireMockContainer]:
        for name, value in list(vars(owner).items()):
            is_method = inspect.isfunction(value) or isinstance(value, (classmethod, staticmethod))
            if is_method and not name.startswith("_"):
                counted(owner, name)


# The parts

def servers() -> None:
    """`WireMockServer`, with another program in place of Java."""
    step("server: no such program", WireMockServer(java_path="/no/such/program").start)
    step("server: a program that ends at once", WireMockServer(java_path="/bin/false").start)
    step("server: stopped before it was started", WireMockServer(java_path=program).stop)
    server = WireMockServer(java_path=program, max_attempts=200, root_dir=folder / "server")
    writer.call(f":{server.port}", "port 1")
    (folder / "server/mappings").mkdir(parents=True)
    (folder / "server/mappings/hello.json").write_text(json.dumps({
        "id": given(1), "request": {"method": "GET", "url": "/hello"}, "response": {"body": "from a file"}}))
    writer.step("server: is running before its start", server.is_running)
    step("server: start", server.start)
    writer.step("server: is running after its start", server.is_running)
    step("server: a second start", server.start)
    use(server.port)
    ask("server: a stub of the folder", "GET", "/hello")
    answer = requests.get(base + "/__admin", timeout=10)
    writer.step("server: GET /__admin", {
        "status": answer.status_code, "before": [each.status_code for each in answer.history],
        "path": answer.url.removeprefix(base), "body": transcript.body(answer.content, "json")})
    step("server: stop", server.stop)
    time.sleep(0.3)
    Config.timeout = 5
    step("server: a call after the stop", Mappings.retrieve_all_mappings)
    Config.timeout = 30
    with WireMockServer(java_path=program, max_attempts=200, port=server.port) as again:
        use(again.port)
        step("server: in a with block, on the same port", Mappings.retrieve_all_mappings)
    time.sleep(0.3)


def use(port: int) -> None:
    global base
    base = f"http://127.0.0.1:{port}"
    Config.base_url = f"http://localhost:{port}/__admin"


def examples() -> None:
    """The examples of the package's pages, and what its own tests do with a server."""
    Config.base_url = f"{base}/__admin/"
    step("example: quick start", Mappings.create_mapping, mapping=Mapping(
        priority=100, request=MappingRequest(method=HttpMethods.GET, url="/hello"),
        response=MappingResponse(status=200, body="hi"), persistent=False))
    everything = step("example: all mappings", Mappings.retrieve_all_mappings)
    writer.step("example: is a list of mappings", isinstance(everything, AllMappings))
    ask("example: GET /hello", "GET", "/hello")
    products = [{"name": "A", "category": "Books"}, {"name": "B", "category": "Movies"}]
    for name, url, found in (("all", "/products", products), ("some", "/products?category=Books", products[:1])):
        query = {"category": {"equalTo": "Books"}} if name == "some" else None
        step(f"example: {name} products", Mappings.create_mapping, Mapping(
            priority=100, request=MappingRequest(method=HttpMethods.GET, url=url, query_parameters=query),
            response=MappingResponse(status=200, json_body=found), persistent=False))
    ask("example: GET all products", "GET", "/products")
    ask("example: GET some products", "GET", "/products?category=Books")
    ask("example: GET other products", "GET", "/products?category=Games")
    step("example: an empty list", Mappings.create_mapping, Mapping(
        priority=1, request=MappingRequest(method=HttpMethods.GET, url="/products"),
        response=MappingResponse(status=200, json_body=[]), persistent=False))
    ask("example: GET no products", "GET", "/products")

    class Case(unittest.TestCase):
        @classmethod
        def setUpClass(cls) -> None:
            cls.server = WireMockServer(java_path=program, max_attempts=200)
            cls.server.start()

        @classmethod
        def tearDownClass(cls) -> None:
            cls.server.stop()

        def test_stub(self) -> None:
            before, Config.base_url = Config.base_url, f"http://localhost:{self.server.port}/__admin"
            Mappings.create_mapping(stub(2, {"url": "/case"}))
            answer = requests.get(f"http://localhost:{self.server.port}/case", timeout=10)
            Config.base_url = before
            self.assertEqual(answer.text, "stub 2")

    result = unittest.TextTestRunner(stream=io.StringIO()).run(
        unittest.defaultTestLoader.loadTestsFromTestCase(Case))
    writer.step("example: a test case with a server of its own", result.wasSuccessful())
    step("example: delete all", Mappings.delete_all_mappings)
    use(int(base.rsplit(":", 1)[1]))


def mappings() -> None:
    """Every method of `Mappings`."""
    step("mappings: none", Mappings.retrieve_all_mappings)
    ask("mappings: a request that no stub answers", "GET", "/first")
    step("mappings: create", Mappings.create_mapping, stub(10, {"url": "/first"}))
    ask("mappings: asked", "GET", "/first")
    made = step("mappings: create without an id", Mappings.create_mapping, Mapping(
        request=MappingRequest(method="GET", url="/second"), response=MappingResponse(status=201, body="2nd")))
    writer.call(made.id if made else None, "second")
    ask("mappings: asked without an id", "GET", "/second")
    step("mappings: create with everything", Mappings.create_mapping, Mapping(
        id=given(11), priority=3, persistent=False, metadata={"team": "a", "tags": ["x", "y"], "n": {"deep": 1}},
        request=MappingRequest(
            method=HttpMethods.POST, url_path="/all", headers={"X-A": {"equalTo": "a"}},
            query_parameters={"q": {"matches": "[0-9]+"}}, cookies={"c": {"contains": "oo"}},
            body_patterns=[{"equalToJson": '{"a":1}', "ignoreExtraElements": True}],
            basic_auth_credentials=BasicAuthCredentials(username="ada", password="secret")),
        response=MappingResponse(
            status=202, status_message="Taken", json_body={"b": [1, None, "x"]},
            headers={"Content-Type": "application/json", "X-Two": ["1", "2"]})))
    ask("mappings: asked for everything", "POST", "/all?q=12", data='{"a":1,"b":2}',
        headers={"X-A": "a", "Cookie": "c=foo"}, auth=("ada", "secret"))
    ask("mappings: asked with a wrong password", "POST", "/all?q=12", data='{"a":1}',
        headers={"X-A": "a", "Cookie": "c=foo"}, auth=("ada", "other"))
    step("mappings: all", Mappings.retrieve_all_mappings)
    step("mappings: the first", Mappings.retrieve_all_mappings, {"limit": 1})
    step("mappings: after the first", Mappings.retrieve_all_mappings, {"offset": 1})
    step("mappings: the second", Mappings.retrieve_all_mappings, {"limit": 1, "offset": 1})
    step("mappings: past the end", Mappings.retrieve_all_mappings, {"offset": 9})
    one = step("mappings: one by its id", Mappings.retrieve_mapping, given(11))
    step("mappings: one by itself", Mappings.retrieve_mapping, one)
    step("mappings: one that is missing", Mappings.retrieve_mapping, NOBODY)
    step("mappings: not an id", Mappings.retrieve_mapping, "nonsense")
    step("mappings: not even text", Mappings.retrieve_mapping, 1.5)
    step("mappings: update", Mappings.update_mapping, stub(10, {"url": "/first"}, {"status": 203, "body": "new"}))
    ask("mappings: asked after an update", "GET", "/first")
    step("mappings: update to another path", Mappings.update_mapping, stub(10, {"url": "/third"}))
    ask("mappings: the path before the update", "GET", "/first")
    ask("mappings: the path after the update", "GET", "/third")
    step("mappings: update what is missing", Mappings.update_mapping, stub(99, {"url": "/x"}))
    step("mappings: create what is no mapping", Mappings.create_mapping, {"request": {}})
    step("mappings: nonsense in a request", Mappings.create_mapping, Mapping(
        request=MappingRequest(method="GET", url="/x", headers={"A": {"nonsense": 1}}), response=MappingResponse()))
    step("mappings: the same id again", Mappings.create_mapping, stub(10, {"url": "/third"}, {"body": "again"}))
    ask("mappings: asked after the same id again", "GET", "/third")
    step("mappings: a newer stub for the path", Mappings.create_mapping, stub(12, {"url": "/third"}))
    ask("mappings: the newer answers", "GET", "/third")
    step("mappings: delete the newer", Mappings.delete_mapping, given(12))
    ask("mappings: the older answers again", "GET", "/third")
    step("mappings: delete by itself", Mappings.delete_mapping, stub(10, {"url": "/third"}))
    ask("mappings: none answers any more", "GET", "/third")
    step("mappings: delete what is missing", Mappings.delete_mapping, NOBODY)
    step("mappings: delete what is not an id", Mappings.delete_mapping, "nonsense")
    for number, team in ((20, "a"), (21, "b"), (22, "a")):
        step(f"mappings: with metadata {number}", Mappings.create_mapping, stub(
            number, {"url": f"/meta/{number}"}, metadata={"team": team, "n": number}))
    step("mappings: delete by metadata", Mappings.delete_mapping_by_metadata, {
        "matchesJsonPath": {"expression": "$.team", "equalTo": "a"}})
    for number in (20, 21, 22):
        ask(f"mappings: asked after that {number}", "GET", f"/meta/{number}")
    step("mappings: delete by metadata of none", Mappings.delete_mapping_by_metadata, {
        "matchesJsonPath": {"expression": "$.team", "equalTo": "none"}})
    step("mappings: delete by nonsense", Mappings.delete_mapping_by_metadata, {"nonsense": 1})
    step("mappings: delete by equal metadata", Mappings.delete_mapping_by_metadata, {
        "equalToJson": '{"team":"b","n":21}'})
    step("mappings: all after the deletions", Mappings.retrieve_all_mappings)
    step("mappings: delete all", Mappings.delete_all_mappings)
    step("mappings: all after all were deleted", Mappings.retrieve_all_mappings)
    ask("mappings: asked after all were deleted", "GET", "/second")


def saving(root: Path) -> None:
    """What is saved and what is on disk."""
    (root / "mappings").mkdir(exist_ok=True)
    (root / "__files").mkdir(exist_ok=True)
    (root / "mappings/disk.json").write_text(json.dumps({
        "id": given(30), "request": {"method": "GET", "url": "/disk"},
        "response": {"status": 200, "bodyFileName": "disk.txt"}}))
    (root / "__files/disk.txt").write_text("from a file")
    ask("saving: a new file is not yet read", "GET", "/disk")
    step("saving: reset", Mappings.reset_mappings)
    ask("saving: the file after a reset", "GET", "/disk")
    step("saving: a stub for a while", Mappings.create_mapping, stub(31, {"url": "/while"}))
    step("saving: a persistent stub", Mappings.create_mapping, stub(32, {"url": "/persistent"}, persistent=True))
    step("saving: reset once more", Mappings.reset_mappings)
    ask("saving: the stub for a while is gone", "GET", "/while")
    ask("saving: the persistent stub is there", "GET", "/persistent")
    step("saving: another", Mappings.create_mapping, stub(33, {"url": "/saved"}))
    ask("saving: asked before it is saved", "GET", "/saved")
    step("saving: save", Mappings.persist_mappings)
    step("saving: reset after the save", Mappings.reset_mappings)
    ask("saving: the saved stub is there", "GET", "/saved")
    step("saving: all of them", lambda: sorted(
        (each.request.url or "", bool(each.persistent)) for each in Mappings.retrieve_all_mappings().mappings))
    step("saving: delete all", Mappings.delete_all_mappings)
    step("saving: reset after that", Mappings.reset_mappings)
    ask("saving: the file is gone too", "GET", "/disk")


MATCHERS: list[tuple[str, dict[str, Any], str, str]] = [
    ("equalTo", {WireMockMatchers.EQUAL_TO: "abc"}, "abc", "abd"),
    ("caseInsensitive", {WireMockMatchers.EQUAL_TO: "abc", WireMockMatchers.CASE_INSENSITIVE: True}, "ABC", "abd"),
    ("contains", {WireMockMatchers.CONTAINS: "b"}, "abc", "axc"),
    ("doesNotContain", {"doesNotContain": "b"}, "axc", "abc"),
    ("matches", {WireMockMatchers.MATCHES: "a[bc]+"}, "abcb", "xabc"),
    ("doesNotMatch", {WireMockMatchers.DOES_NOT_MATCH: "a[bc]+"}, "xabc", "abcb"),
    ("absent", {WireMockMatchers.ABSENT: True}, "", "abc"),
    ("anything", {WireMockMatchers.ANYTHING: "anything"}, "abc", ""),
    ("equalToJson", {WireMockMatchers.EQUAL_TO_JSON: '{"a":[1,2]}'}, '{ "a" : [1, 2] }', '{"a":[2,1]}'),
    ("equalToJson, not as text", {WireMockMatchers.EQUAL_TO_JSON: {"a": 1}}, '{"a":1}', '{"a":2}'),
    ("ignoreArrayOrder", {WireMockMatchers.EQUAL_TO_JSON: '{"a":[1,2]}', WireMockMatchers.IGNORE_ARRAY_ORDER: True},
     '{"a":[2,1]}', '{"a":[2,2]}'),
    ("ignoreExtraElements", {WireMockMatchers.EQUAL_TO_JSON: '{"a":1}', WireMockMatchers.IGNORE_EXTRA_ELEMENTS: True},
     '{"a":1,"b":2}', '{"b":2}'),
    ("matchesJsonPath", {WireMockMatchers.MATCHES_JSON_PATH: "$.a"}, '{"a":1}', '{"b":1}'),
    ("matchesJsonPath, filter", {WireMockMatchers.MATCHES_JSON_PATH: "$.a[?(@.b == 'x')]"},
     '{"a":[{"b":"x"}]}', '{"a":[{"b":"y"}]}'),
    ("matchesJsonPath, value",
     {WireMockMatchers.MATCHES_JSON_PATH: {"expression": "$.a", "contains": "x"}}, '{"a":"axe"}', '{"a":"b"}'),
    ("and", {"and": [{"contains": "a"}, {"contains": "b"}]}, "ab", "a"),
    ("or", {"or": [{"equalTo": "a"}, {"equalTo": "b"}]}, "b", "c"),
    ("equalToXml", {WireMockMatchers.EQUAL_TO_XML: "<a><b/></a>"}, "<a> <b></b> </a>", "<a><c/></a>"),
    ("matchesXPath", {WireMockMatchers.MATCHES_X_PATH: "/a/b"}, "<a><b/></a>", "<a><c/></a>"),
    ("xPathNamespaces", {
        WireMockMatchers.MATCHES_X_PATH: "/n:a", WireMockMatchers.X_PATH_NAMESPACES: {"n": "urn:n"}},
     '<a xmlns="urn:n"/>', "<a/>"),
    ("binaryEqualTo", {"binaryEqualTo": "AQID"}, "\x01\x02\x03", "\x01\x02"),
]


def matchers() -> None:
    """Each matcher, in a body and in a header, and each kind of URL."""
    for name, pattern, hit, miss in MATCHERS:
        if name not in ("absent",):
            step(f"matcher {name}: body", Mappings.create_mapping, Mapping(
                id=given(40), request=MappingRequest(method="POST", url="/body", body_patterns=[pattern]),
                response=MappingResponse(body="hit")))
            ask(f"matcher {name}: body that matches", "POST", "/body", data=hit.encode())
            ask(f"matcher {name}: body that does not match", "POST", "/body", data=miss.encode())
            step(f"matcher {name}: body, deleted", Mappings.delete_all_mappings)
        if any(word in name for word in ("Json", "XPath", "Xml", "xPath", "binary", "ignore")):
            continue
        for place, request in (("header", {"headers": {"X-A": pattern}}), ("query",
                {"query_parameters": {"a": pattern}}),
                               ("cookie", {"cookies": {"a": pattern}})):
            step(f"matcher {name}: {place}", Mappings.create_mapping, Mapping(
                id=given(41), request=MappingRequest(method="GET", url_path="/place", **request),
                response=MappingResponse(body="hit")))
            for what, value in (("matches", hit), ("does not match", miss)):
                sent: dict[str, Any] = {}
                if value and place == "header":
                    sent = {"headers": {"X-A": value}}
                elif value and place == "query":
                    sent = {"params": {"a": value}}
                elif value:
                    sent = {"headers": {"Cookie": f"a={value}"}}
                ask(f"matcher {name}: {place} that {what}", "GET", "/place", **sent)
            step(f"matcher {name}: {place}, deleted", Mappings.delete_all_mappings)
    for name, request, hit, miss in (
            ("url", {"url": "/u/1?a=b"}, "/u/1?a=b", "/u/1"),
            ("urlPattern", {"url_pattern": "/u/[0-9]+\\?a=.*"}, "/u/12?a=x", "/u/x?a=x"),
            ("urlPath", {"url_path": "/u/1"}, "/u/1?any=thing", "/u/2"),
            ("urlPathPattern", {"url_path_pattern": "/u/[a-z]+"}, "/u/abc?x=1", "/u/1")):
        step(f"matcher {name}", Mappings.create_mapping, stub(42, request))
        ask(f"matcher {name}: that matches", "GET", hit)
        ask(f"matcher {name}: that does not match", "GET", miss)
        step(f"matcher {name}: deleted", Mappings.delete_all_mappings)
    for method in ("ANY", "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"):
        step(f"method {method}", Mappings.create_mapping, stub(43, {
            "method": getattr(HttpMethods, method), "url": "/method"}))
        ask(f"method {method}: the same", "GET" if method == "ANY" else method, "/method")
        ask(f"method {method}: another", "POST" if method in ("GET", "ANY") else "GET", "/method")
    step("methods: deleted", Mappings.delete_all_mappings)


def responses(root: Path) -> None:
    """Each part of an answer."""
    (root / "__files").mkdir(exist_ok=True)
    (root / "__files/answer.json").write_text('{"from":"a file"}')
    own = {
        "body": {"status": 200, "body": "text ü"},
        "no status": {"body": "text"},
        "JSON": {"status": 200, "json_body": {"a": [1, 2.5, True, None], "b": {}}},
        "JSON that is a list": {"status": 200, "json_body": []},
        "base64": {"status": 200, "base64_body": "AAEC/w=="},
        "file": {"status": 200, "body_file_name": "answer.json", "headers": {"Content-Type": "application/json"}},
        "file that is missing": {"status": 200, "body_file_name": "missing.json"},
        "message": {"status": 418, "status_message": "Teapot", "body": "short"},
        "headers": {"status": 301, "headers": {
            CommonHeaders.LOCATION: "/elsewhere", CommonHeaders.CACHE_CONTROL: "no-store",
            CommonHeaders.ETAG: '"1"', CommonHeaders.SET_COOKIE: ["a=1", "b=2; Path=/"]}},
        "no content": {"status": 204},
        "not found": {"status": 404, "body": "not here"},
        "server error": {"status": 503, "body": "later", "headers": {"Retry-After": "1"}},
        "template": {
            "status": 200, "transformers": ["response-template"],
            "body": "{{request.method}} {{request.path}} {{request.query.q}} {{request.headers.X-A}}"},
        "template with parameters": {
            "status": 200, "transformers": ["response-template"], "transformer_parameters": {"who": "Ada"},
            "body": "hello {{parameters.who}}"},
        "not a template": {"status": 200, "body": "{{request.path}}"},
        "metadata": {"status": 200, "metadata": {"a": 1}, "body": "x"},
    }
    for number, (name, response) in enumerate(own.items(), 50):
        step(f"response {name}", Mappings.create_mapping, stub(number, {"url_path": f"/r/{number}"}, response))
        ask(f"response {name}: asked", "GET", f"/r/{number}?q=v", headers={"X-A": "h"})
    step("response proxy", Mappings.create_mapping, stub(70, {"url_pattern": "/echo.*"}, {
        "proxy_base_url": f"http://127.0.0.1:{upstream}", "additional_proxy_request_headers": {"X-Added": "added"}}))
    ask("response proxy: asked", "GET", "/echo?x=1")
    step("response fixed delay", Mappings.create_mapping, stub(71, {"url": "/d/1"}, {
        "body": "late", "fixed_delay_milliseconds": 300}))
    ask("response fixed delay: asked", "GET", "/d/1", seconds_min=0.3)
    step("response uniform delay", Mappings.create_mapping, stub(72, {"url": "/d/2"}, {
        "body": "late", "delay_distribution": DelayDistribution(
            distribution_type=DelayDistributionMethods.UNIFORM, lower=200, upper=220)}))
    ask("response uniform delay: asked", "GET", "/d/2", seconds_min=0.2)
    step("response lognormal delay", Mappings.create_mapping, stub(73, {"url": "/d/3"}, {
        "body": "late", "delay_distribution": DelayDistribution(
            distribution_type=DelayDistributionMethods.LOG_NORMAL, median=150, sigma=0.01)}))
    ask("response lognormal delay: asked", "GET", "/d/3", seconds_min=0.1)
    for number, fault in enumerate((
            ResponseFaultType.EMPTY_RESPONSE, ResponseFaultType.MALFORMED_RESPONSE_CHUNK,
            ResponseFaultType.RANDOM_DATA_THEN_CLOSE, "CONNECTION_RESET_BY_PEER"), 74):
        step(f"response {fault}", Mappings.create_mapping, stub(number, {"url": f"/f/{number}"}, {"fault": fault}))
        ask(f"response {fault}: asked", "GET", f"/f/{number}")
    step("response with actions", Mappings.create_mapping, stub(78, {"url": "/actions"},
        post_serve_actions={"none": {}}))
    ask("response with actions: asked", "GET", "/actions")
    for priority, number in ((1, 80), (5, 81), (None, 82)):
        step(f"priority {priority}", Mappings.create_mapping, stub(number, {"url": "/p"}, priority=priority))
        ask(f"priority {priority}: asked", "GET", "/p")
    step("responses: deleted", Mappings.delete_all_mappings)


def scenarios() -> None:
    for number, (before, after) in enumerate((("Started", "two"), ("two", "three"), ("three", None)), 90):
        step(f"scenarios: {before}", Mappings.create_mapping, stub(
            number, {"url": "/s"}, {"body": before}, scenario_name="steps",
            required_scenario_state=before, new_scenario_state=after))
    for number in range(4):
        ask(f"scenarios: request {number}", "GET", "/s")
    step("scenarios: reset", Scenarios.reset_all_scenarios)
    ask("scenarios: after the reset", "GET", "/s")
    step("scenarios: all, by hand", lambda: Scenarios.REST_CLIENT.get(Scenarios.endpoint_single()))
    step("scenarios: one deleted", Mappings.delete_mapping, given(91))
    ask("scenarios: the state that none answers", "GET", "/s")
    step("scenarios: all deleted", Mappings.delete_all_mappings)
    step("scenarios: none left", lambda: Scenarios.REST_CLIENT.get(Scenarios.endpoint_single()))


def journal() -> None:
    """Every method of `Requests` and `NearMisses`."""
    step("journal: emptied", Requests.reset_request_journal)
    step("journal: no requests", Requests.get_all_received_requests, parameters={})
    step("journal: a stub", Mappings.create_mapping, stub(100, {"url_path": "/j", "method": "ANY"}))
    before = datetime.now(timezone.utc)
    writer.step("journal: a time in milliseconds", datetime_to_ms(datetime(2024, 1, 2, tzinfo=timezone.utc)))
    plain = {"User-Agent": "steps", "Accept": "*/*", "Accept-Encoding": "identity"}
    ask("journal: GET", "GET", "/j?a=1&a=2&b=", headers=plain | {"X-A": "a", "Cookie": "c=1; d=2"})
    ask("journal: POST", "POST", "/j", data="sent ü".encode(), headers=plain | {"Content-Type": "text/plain"})
    ask("journal: a miss", "GET", "/nearly?x=1", headers=plain)
    ask("journal: another miss", "DELETE", "/far", headers=plain)
    everything = step("journal: all", Requests.get_all_received_requests, parameters={})
    step("journal: the last", Requests.get_all_received_requests, 1, parameters={})
    for name, since in (("an hour ago", -3600), ("an hour from now", 3600)):
        when = (before + timedelta(seconds=since)).strftime("%Y-%m-%dT%H:%M:%SZ")
        step(f"journal: since {name}", lambda: len(Requests.get_all_received_requests(since=when,
            parameters={}).requests))
    step("journal: since nonsense", Requests.get_all_received_requests, since="nonsense", parameters={})
    step("journal: unmatched of all", lambda: [
        each.request.url for each in Requests.get_all_received_requests(parameters={"unmatched": "true"}).requests])
    step("journal: of a stub", lambda: [
        each.request.url for each in Requests.get_all_received_requests(
            parameters={"matchingStub": given(100)}).requests])
    last = everything.requests[0].id if everything and everything.requests else NOBODY
    writer.call(last, "the last request")
    step("journal: one", Requests.get_request, last)
    step("journal: one that is missing", Requests.get_request, NOBODY)
    step("journal: not an id", Requests.get_request, "nonsense")
    for name, pattern in (
            ("path", {"method": "GET", "url_path": "/j"}), ("URL", {"method": "GET", "url": "/j?a=1&a=2&b="}),
            ("any method", {"method": "ANY", "url_path_pattern": "/j.*"}), ("pattern", {"url_pattern": "/.*"}),
            ("header", {"headers": {"X-A": {"equalTo": "a"}}}), ("query",
            {"query_parameters": {"a": {"equalTo": "2"}}}),
            ("cookie", {"cookies": {"d": {"matches": "[0-9]"}}}), ("none", {"url": "/never"}),
            ("body", {"method": "POST", "body_patterns": [{"contains": "sent"}]}), ("everything", {})):
        step(f"journal: count by {name}", Requests.get_matching_request_count, NearMissMatchPatternRequest(**pattern))
        step(f"journal: find by {name}", Requests.get_matching_requests, NearMissMatchPatternRequest(**pattern))
    step("journal: count what is no pattern", Requests.get_matching_request_count, {"url": "/j"})
    step("journal: unmatched", Requests.get_unmatched_requests)
    step("journal: near misses of the unmatched", Requests.get_unmatched_requests_near_misses)
    step("near misses: of a request", NearMisses.find_nearest_misses_by_request, NearMissMatchRequest(
        url="/nearly", method=HttpMethods.GET, headers={"Accept": "*/*"}, absolute_url=f"{base}/nearly",
        client_ip="127.0.0.1", cookies={}, browser_proxy_request=False, body="", logged_date=1700000000000))
    step("near misses: of a pattern", NearMisses.find_nearest_misses_by_request_pattern, NearMissMatchPatternRequest(
        url="/nearly", method=HttpMethods.GET))
    step("near misses: what is no request", NearMisses.find_nearest_misses_by_request, {"url": "/nearly"})
    step("journal: emptied again", Requests.reset_request_journal)
    step("journal: none after that", Requests.get_all_received_requests, parameters={})
    step("journal: no near misses after that", Requests.get_unmatched_requests_near_misses)


def settings() -> None:
    step("settings: a stub", Mappings.create_mapping, stub(110, {"url": "/slow"}))
    step("settings: a delay", GlobalSettings.update_global_settings, GlobalSetting(fixed_delay=250))
    rest = GlobalSettings.REST_CLIENT
    step("settings: posted by hand", rest.post, "/settings", json={"fixedDelay": 250}, headers=make_headers())
    step("settings: read", rest.get, GlobalSettings.endpoint(), headers=make_headers())
    ask("settings: a slow answer", "GET", "/slow", seconds_min=0.25)
    step("settings: replaced", rest.put, "/settings", json={
        "delayDistribution": {"type": "uniform", "lower": 100, "upper": 120}}, headers=make_headers(A="b"))
    step("settings: read after that", rest.get, "/settings")
    ask("settings: a slow answer after that", "GET", "/slow", seconds_min=0.1)
    step("settings: none", GlobalSettings.update_global_settings, GlobalSetting())
    step("settings: read at the end", rest.get, "/settings")
    step("rest: OPTIONS", lambda: rest.options("/mappings").status_code)
    step("rest: HEAD", lambda: rest.head("/mappings").status_code)
    step("rest: PATCH", lambda: rest.patch("/mappings", json={}).status_code)
    step("rest: DELETE", rest.delete, "/requests")
    writer.step("rest: names of endpoints", [
        NearMisses.endpoint(), NearMisses.endpoint_single(), GlobalSettings.endpoint_single(), BaseResource.endpoint(),
        BaseResource.endpoint_single(), *[
            getattr(each.entity_class(), "__name__", None)
            for each in (BaseResource, Mappings, Requests, NearMisses, Scenarios, GlobalSettings)]])


class Container(WireMockContainer):
    """The package's container, without Docker: what it copies goes to the folder of the server."""

    def __init__(self, root: Path) -> None:
        self.root, self.http_server_port, self.https_server_port = root, 8080, 8443
        self.secure = self.verify_ssl_certs = False
        self.ports: dict[int, None] = {}
        self._container = self
        self.initialize()

    def get_container_host_ip(self) -> str:
        return "127.0.0.1"

    def get_exposed_port(self, port: int) -> str:
        return base.rsplit(":", 1)[1]

    def put_archive(self, path: str, data: bytes) -> None:
        name = Path(path).name
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            archive.extractall(self.root / name, filter="data")

    def remove(self, **_: Any) -> None:
        pass


def container(root: Path) -> None:
    for name in ("mappings", "__files"):
        (root / name).mkdir(exist_ok=True)
    box = Container(root)
    box.with_mapping("hello.json", {"request": {"method": "GET", "url": "/hello"}, "response": {"body": "hello"}})
    box.with_mapping("file.json", {"request": {"method": "GET", "url": "/hello2"},
        "response": {"bodyFileName": "h.json"}})
    box.with_file("h.json", {"message": "Hello World !"}).with_cli_arg("--verbose", "")
    box.with_https_port()
    WireMockContainer.with_command(box)
    step("container: is running", box.server_running)
    step("container: configure", box.configure)
    step("container: reload", box.reload_mappings)
    for path in ("/hello", "/hello2"):
        ask(f"container: {path}", "GET", path)
    step("container: URL", lambda: box.get_url("/hello").removeprefix(box.get_base_url()))
    step("container: deleted", Mappings.delete_all_mappings)


def main() -> None:
    count_all()
    servers()
    root = folder / "root"
    root.mkdir()
    with WireMockServer(java_path=program, max_attempts=200, root_dir=root) as server:
        writer.call(f":{server.port}", "port")
        use(server.port)
        examples()
        mappings()
        matchers()
        responses(root)
        scenarios()
        journal()
        settings()
        saving(root)
        container(root)
    # It needs Docker itself.
    wanted = all_methods - {"WireMockContainer.start"}
    writer.step("methods of the client that no step called", sorted(wanted - called))
    writer.step("number of methods of the client", len(all_methods))
    writer.close()


main()
