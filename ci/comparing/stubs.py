"""Reads stub mappings, and makes the requests that they ask for, and some that just miss."""

import base64
import binascii
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import texts
from texts import ANYTHING

BOUNDARY = "understudy-boundary"


@dataclass(frozen=True)
class Request:
    method: str
    target: str
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    # "" for what the stub asks for; otherwise how it misses that.
    miss: str = ""

    def written(self, port: int) -> bytes:
        lines = [f"{self.method} {self.target} HTTP/1.1"]
        if not any(name.lower() == "host" for name, _ in self.headers):
            lines.append(f"Host: 127.0.0.1:{port}")
        lines += [f"{name}: {value}" for name, value in self.headers]
        if self.body or self.method in ("POST", "PUT", "PATCH"):
            lines.append(f"Content-Length: {len(self.body)}")
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + self.body

    def __str__(self) -> str:
        parts = [f"{self.method} {self.target}", *(f"{name}: {value}" for name, value in self.headers)]
        if self.body:
            parts.append(repr(self.body.decode(errors="replace")))
        return " | ".join(parts) + (f" ({self.miss})" if self.miss else "")


@dataclass
class Stub:
    file: str
    pointer: str
    value: dict
    requests: list[Request] = field(default_factory=list)
    misses: list[Request] = field(default_factory=list)
    # Why no request could be made.
    trouble: str = ""

    @property
    def scenario(self) -> str | None:
        return self.value.get("scenarioName")

    def __str__(self) -> str:
        name = self.value.get("name")
        return f"{self.file}{self.pointer and '#' + self.pointer}{f' ({name})' if name else ''}"


def read(folder: Path) -> Iterator[Stub]:
    """All stubs in the order of their files."""
    files = (path for path in (folder / "mappings").rglob("*.json") if path.is_file())
    for path in sorted(files, key=lambda path: str(path.relative_to(folder)).encode()):
        document = json.loads(path.read_bytes().decode("utf-8-sig"))
        name = str(path.relative_to(folder))
        if isinstance(document, dict) and "mappings" in document:
            for number, value in enumerate(document["mappings"]):
                yield Stub(name, f"/mappings/{number}", value)
        elif isinstance(document, list):
            for number, value in enumerate(document):
                yield Stub(name, f"/{number}", value)
        else:
            yield Stub(name, "", document)


# Values

def holds(matcher: dict, text: str | None) -> bool:
    """Whether a text meets a matcher, of those that are simple."""
    if text is None:
        return bool(matcher.get("absent"))
    for key, value in matcher.items():
        if key == "equalTo":
            same = text.lower() == value.lower() if matcher.get("caseInsensitive") else text == value
            if not same:
                return False
        elif key in ("contains", "doesNotContain"):
            if (value in text) != (key == "contains"):
                return False
        elif key in ("matches", "doesNotMatch"):
            pattern = texts.python_pattern(value)
            if (pattern is not None and pattern.fullmatch(text) is not None) != (key == "matches"):
                return False
        elif key == "absent" and value:
            return False
        elif key == "and" and not all(holds(inner, text) for inner in value):
            return False
        elif key == "or" and not any(holds(inner, text) for inner in value):
            return False
        elif key == "not" and holds(value, text):
            return False
    return True


def candidates(matcher: Any, generous: bool = False) -> list[str | None]:
    """Texts that may meet a matcher."""
    if not isinstance(matcher, dict):
        return [str(matcher)]
    found: list[str | None] = []
    for key, value in matcher.items():
        if key == "equalTo":
            text = str(value).lower() if value is not None and not isinstance(value, str) else value
            found.append(text.swapcase() if matcher.get("caseInsensitive") else text)
        elif key == "contains":
            found.append(f"a{value}b" if generous else value)
        elif key == "matches":
            found.append(texts.matching(value, generous))
        elif key in ("doesNotContain", "doesNotMatch", "not", "anything"):
            found += ["other", "7", "x-1", "Z"]
        elif key == "absent":
            found.append(None if value else "text")
        elif key == "after":
            found.append("2999-01-01T00:00:00Z")
        elif key == "before":
            found.append("1999-01-01T00:00:00Z")
        elif key == "equalToDateTime":
            found.append(value)
        elif key in ("and", "or"):
            inner = [candidates(one, generous) for one in value]
            found += [one for all_of_one in (reversed(inner) if generous else inner) for one in all_of_one]
            if key == "and":
                found.append("".join(one[0] or "" for one in inner if one))
        elif key in ("equalToJson", "binaryEqualTo", "equalToXml"):
            found.append(value if isinstance(value, str) else json.dumps(value))
    return found


def text(matcher: Any, generous: bool = False) -> str | None:
    """A text that meets a matcher; `None` is for a value that must be absent."""
    possible = candidates(matcher, generous)
    for one in possible:
        if not isinstance(matcher, dict) or holds(matcher, one):
            return one
    if not possible:
        raise ValueError(f"cannot meet {json.dumps(matcher)}")
    return possible[0]


# Bodies

def filled(value: Any) -> Any:
    """JSON with values in place of `${json-unit.any-string}` and its like."""
    if isinstance(value, dict):
        return {key: filled(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner) for inner in value]
    if isinstance(value, str) and value.startswith("${json-unit."):
        if value.startswith("${json-unit.regex}"):
            return texts.matching(value.removeprefix("${json-unit.regex}"))
        return {"any-number": 7.5, "any-boolean": True}.get(value[12:-1], "some text")
    return value


def is_json(pattern: dict) -> bool:
    return "equalToJson" in pattern or "matchesJsonPath" in pattern or "matchesJsonSchema" in pattern


def json_body(patterns: list[dict], as_object: bool) -> bytes:
    document: Any = None
    for pattern in patterns:
        if "equalToJson" in pattern:
            expected = pattern["equalToJson"]
            value = filled(json.loads(expected) if isinstance(expected, str) else expected)
            both = isinstance(document, dict) and isinstance(value, dict)
            document = document | value if both else value
    for pattern in patterns:
        wanted = pattern.get("matchesJsonPath")
        if isinstance(wanted, str):
            document = texts.placed(document, texts.steps(wanted), ANYTHING, as_object)
        elif wanted:
            rest = {key: value for key, value in wanted.items() if key != "expression"}
            leaf = json.loads(text(rest)) if "equalToJson" in rest and isinstance(rest["equalToJson"], str) \
                else filled(rest["equalToJson"]) if "equalToJson" in rest else text(rest)
            if not as_object and isinstance(leaf, str) and re.fullmatch(r"[1-9]\d{0,8}|true|false", leaf):
                # Values are compared as texts, whatever they are.
                leaf = json.loads(leaf)
            if leaf is not None:
                document = texts.placed(document, texts.steps(wanted["expression"]), leaf, as_object)
    written = json.dumps({} if document is None else document, ensure_ascii=False)
    for pattern in patterns:
        if "contains" in pattern and pattern["contains"] not in written and isinstance(document, dict):
            try:
                document |= json.loads("{" + pattern["contains"].strip().strip(",{}") + "}")
            except ValueError:
                document |= {"more": pattern["contains"]}
            written = json.dumps(document, ensure_ascii=False)
            if pattern["contains"] not in written:
                written = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return written.encode()


def text_body(patterns: list[dict], generous: bool) -> bytes:
    for pattern in patterns:
        if "binaryEqualTo" in pattern:
            return base64.b64decode(pattern["binaryEqualTo"])
        if "equalToXml" in pattern:
            return pattern["equalToXml"].encode()
        if "matchesXPath" in pattern:
            return xml(pattern["matchesXPath"]).encode()
    whole = text({"and": patterns} if len(patterns) > 1 else patterns[0], generous)
    return (whole or "").encode()


def xml(path: Any) -> str:
    """A document in which a plain XPath finds something."""
    expression = path if isinstance(path, str) else path["expression"]
    names = re.findall(r"[A-Za-z][\w-]*(?!\()", re.sub(r"\[.*?\]|text\(\)|@\w+", "", expression)) or ["a"]
    value = text({k: v for k, v in path.items() if k != "expression"}) if isinstance(path, dict) else None
    found = re.search(r"=\s*['\"](.*?)['\"]", expression)
    inner = value or (found[1] if found else "text")
    return "".join(f"<{name}>" for name in names) + inner + "".join(f"</{name}>" for name in reversed(names))


def multipart(patterns: list[dict]) -> bytes:
    parts = []
    for number, pattern in enumerate(patterns):
        headers = {name: text(matcher) for name, matcher in pattern.get("headers", {}).items()}
        own = {name.lower(): value for name, value in headers.items()}
        disposition = own.pop("content-disposition", "") or ""
        if not disposition.startswith("form-data"):
            name = f'name="{pattern.get("name", f"part{number}")}"'
            disposition = "; ".join(filter(None, ["form-data", "name=" not in disposition and name, disposition]))
        body = body_of(pattern.get("bodyPatterns", []), False, False) if pattern.get("bodyPatterns") else b"text"
        lines = [f"--{BOUNDARY}", f"Content-Disposition: {disposition}"]
        lines += [f"{name}: {value}" for name, value in own.items() if value is not None]
        parts.append("\r\n".join(lines).encode() + b"\r\n\r\n" + body + b"\r\n")
    return b"".join(parts) + f"--{BOUNDARY}--\r\n".encode()


def body_of(patterns: list[dict], generous: bool, as_object: bool) -> bytes:
    return json_body(patterns, as_object) if any(map(is_json, patterns)) else text_body(patterns, generous)


# Requests

def target(request: dict, generous: bool) -> str:
    if "url" in request:
        url = request["url"]
    elif "urlPath" in request:
        url = request["urlPath"]
    elif "urlPathTemplate" in request:
        values = request.get("pathParameters", {})
        url = re.sub(
            r"\{(.*?)\}",
            lambda name: (text(values[name[1]], generous) or "") if name[1] in values else "some" + "-more" * generous,
            request["urlPathTemplate"])
    else:
        pattern = request.get("urlPattern") or request.get("urlPathPattern")
        url = "/any" if pattern is None else texts.matching(pattern, generous)
        if url is None:
            raise ValueError(f"no text that matches {pattern}")
        if not url.startswith("/"):
            url = "/" + url
    url = quote(url, safe="/?=&%:@!$'()*+,;~[]")
    query = []
    for name, matcher in request.get("queryParameters", {}).items():
        several = matcher.get("hasExactly") or matcher.get("includes") if isinstance(matcher, dict) else None
        for one in several or [matcher]:
            value = text(one, generous)
            if value is not None:
                query.append(f"{quote(name, safe='[]')}={quote(value, safe='')}")
    return url + ("&" if "?" in url else "?") * bool(query) + "&".join(query)


def own_request(stub: dict, method: str, generous: bool, as_object: bool) -> Request:
    request = stub.get("request", {})
    headers: list[tuple[str, str]] = []
    for name, matcher in request.get("headers", {}).items():
        value = text(matcher, generous)
        if value is not None:
            headers.append((name, value))
    cookies = [(name, text(matcher, generous)) for name, matcher in request.get("cookies", {}).items()]
    if kept := [f"{name}={value}" for name, value in cookies if value is not None]:
        headers.append(("Cookie", "; ".join(kept)))
    if basic := request.get("basicAuthCredentials") or request.get("basicAuth"):
        pair = f"{basic['username']}:{basic['password']}".encode()
        headers.append(("Authorization", "Basic " + base64.b64encode(pair).decode()))
    body = b""
    kind = None
    if patterns := request.get("bodyPatterns"):
        body = body_of(patterns, generous, as_object)
        kind = "application/json" if any(map(is_json, patterns)) else "text/plain"
    elif form := request.get("formParameters"):
        pairs = [(name, text(matcher, generous)) for name, matcher in form.items()]
        body = "&".join(f"{quote(n, safe='')}={quote(v, safe='')}" for n, v in pairs if v is not None).encode()
        kind = "application/x-www-form-urlencoded"
    elif parts := request.get("multipartPatterns"):
        body = multipart(parts)
        kind = f"multipart/form-data; boundary={BOUNDARY}"
        headers = [header for header in headers if header[0].lower() != "content-type"]
    elif method in ("POST", "PUT", "PATCH") and (paths := answered_paths(stub)):
        document: Any = None
        for path in paths:
            document = texts.placed(document, texts.steps(path), ANYTHING, as_object)
        body, kind = json.dumps(document).encode(), "application/json"
    if kind and not any(name.lower() == "content-type" for name, _ in headers) and "Content-Type" not in request.get(
            "headers", {}):
        headers.append(("Content-Type", kind))
    return Request(method, target(request, generous), tuple(headers), body)


def answered_paths(stub: dict) -> list[str]:
    """The JSONPaths by which an answer reads the body."""
    return re.findall(r"jsonPath request\.body '(\$.*?)'", json.dumps(stub.get("response", {})))


def methods(request: dict) -> list[str]:
    method = request.get("method", "ANY")
    if isinstance(method, dict):
        return method.get("oneOf", ["GET"])
    return ["GET", "POST"] if method == "ANY" else [method]


def make(stub: Stub) -> None:
    """Fills in a stub's own requests, and those that nearly are."""
    request = stub.value.get("request", {})
    try:
        for method in methods(request):
            for generous in (False, True):
                for as_object in (True, False):
                    one = own_request(stub.value, method, generous, as_object)
                    # WireMock does not see a "?" at the end, and so finds no query.
                    if one.target.endswith("?"):
                        one = replace(one, target=one.target.removesuffix("?"), miss="no query")
                    if one not in stub.requests:
                        stub.requests.append(one)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, binascii.Error) as error:
        if not stub.requests:
            stub.trouble = f"{type(error).__name__}: {error}"
            return
    stub.misses = list(misses(request, stub.requests[0]))


def misses(request: dict, own: Request) -> Iterator[Request]:
    if request.get("method", "ANY") != "ANY":
        yield replace(own, method="DELETE" if own.method != "DELETE" else "PUT", miss="another method")
    path, _, query = own.target.partition("?")
    yield replace(own, target=own.target + ("&" if query else "?") + "further=1", miss="a further query parameter")
    yield replace(own, target=path + "/further" + ("?" + query if query else ""), miss="a further segment")
    if query:
        yield replace(own, target=path, miss="no query")
        first, _, others = query.partition("&")
        name = first.partition("=")[0]
        yield replace(own, target=f"{path}?{name}=elsewise" + ("&" + others if others else ""), miss="another value")
        if others:
            yield replace(own, target=f"{path}?{others}&{first}", miss="another order")
    asked = {name.lower() for name in request.get("headers", {})}
    asked |= {"cookie"} if request.get("cookies") else set()
    asked |= {"authorization"} if request.get("basicAuthCredentials") or request.get("basicAuth") else set()
    for number, (name, _) in enumerate(own.headers):
        if name.lower() in asked:
            others = own.headers[:number] + own.headers[number + 1:]
            yield replace(own, headers=others, miss=f"no {name}")
            changed = (name, "elsewise=1" if name == "Cookie" else "elsewise")
            yield replace(own, headers=(*others, changed), miss=f"another {name}")
            break
    for name, matcher in request.get("headers", {}).items():
        if isinstance(matcher, dict) and matcher.get("absent"):
            yield replace(own, headers=(*own.headers, (name, "there")), miss=f"a {name}")
    if own.body:
        kind = dict(own.headers).get("Content-Type", "")
        if kind == "application/json":
            yield replace(own, body=b'{"other": [1]}', miss="another body")
            yield replace(own, body=b"no JSON", miss="a body that is not JSON")
            document = json.loads(own.body)
            if isinstance(document, dict):
                yield replace(own, body=json.dumps(document | {"further": 1}).encode(), miss="a further member")
                if document:
                    less = dict(list(document.items())[:-1])
                    yield replace(own, body=json.dumps(less).encode(), miss="a member less")
            if swapped := reversed_arrays(document):
                yield replace(own, body=json.dumps(swapped).encode(), miss="arrays the other way round")
            others = tuple(header for header in own.headers if header[0] != "Content-Type")
            if "content-type" not in asked:
                yield replace(own, headers=others, miss="no type")
        else:
            yield replace(own, body=b"something else", miss="another body")
        yield replace(own, body=b"", miss="no body")


def reversed_arrays(document: Any) -> Any:
    """The document with all arrays the other way round; `None` where that changes nothing."""
    def turn(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: turn(inner) for key, inner in value.items()}
        return [turn(inner) for inner in reversed(value)] if isinstance(value, list) else value

    turned = turn(document)
    return turned if turned != document else None
