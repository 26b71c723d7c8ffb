"""A server with answers of all shapes, and the requests that ask for them."""

import gzip
import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

JSON = "application/json"
calls = {}


def answer(method, path, body):
    """Status, type, headers and body, by method and path."""
    number = calls[method, path] = calls.get((method, path), 0) + 1
    name = path.split("?")[0]
    if name.startswith("/users/"):
        key = name.rsplit("/", 1)[1]
        if not key.isdigit() or int(key) > 50:
            return 404, JSON, {}, {"error": "no such user", "id": key}
        return 200, JSON, {}, {"id": int(key), "name": f"user {key}", "tags": ["ä", None, 1.50, {}]}
    if name == "/search":
        return 200, JSON, {}, {"found": path.split("?")[-1]}
    if name == "/job":
        return 200, JSON, {}, {"state": ["waiting", "running", "done"][min(number, 3) - 1]}
    if name == "/orders" and method == "POST":
        sent = json.loads(body)
        if sent.get("count", 0) < 1:
            return 422, "application/problem+json", {}, {"title": "count is too small"}
        return 201, JSON, {"Location": "/orders/7"}, {"id": 7, "sku": sent["sku"]}
    if name == "/orders/7":
        return (204, None, {}, None) if method == "DELETE" else (200, JSON, {}, {"id": 7})
    if name == "/form":
        return 200, JSON, {}, {"form": body.decode()}
    if name == "/upload":
        parts = re.findall(rb'name="(\w+)".*?\r\n\r\n(.*?)\r\n--', body, re.DOTALL)
        return 201, JSON, {}, {part.decode(): len(value) for part, value in parts}
    return {
        "/old": (302, None, {"Location": "/new"}, None),
        "/list": (200, JSON, {}, list(range(200))),
        "/deep": (200, JSON, {}, {"a": {"b": {"c": [[[["d"]]]]}}}),
        "/big": (200, JSON, {}, [{"id": n, "text": "x" * 100} for n in range(4000)]),
        "/numbers": (200, JSON, {}, [0, -1, 1e300, 12345678901234567890, 0.1]),
        "/latin": (200, "application/json; charset=iso-8859-1", {}, {"ü": "ß"}),
        "/hal": (200, "application/hal+json", {}, {"_links": {}}),
        "/vague": (200, "text/plain", {}, {"hidden": "json"}),
        "/text": (200, "text/plain; charset=utf-8", {}, "hällo\n"),
        "/page": (200, "text/html", {}, "<p>hello</p>"),
        "/pixel": (200, "image/gif", {}, bytes(range(256)) * 3),
        "/zipped": (200, JSON, {"Content-Encoding": "gzip"}, {"zipped": True}),
        "/down": (503, "text/html", {"Retry-After": "3"}, "<h1>down</h1>"),
        "/braces": (200, JSON, {"X-Pattern": "{id}"}, {"t": "{path.id} {now}"}),
    }.get(name, (404, JSON, {}, {"error": name}))


def parts(boundary, **fields):
    """A form in several parts; a photo is a file."""
    body = ""
    for name, value in fields.items():
        file = '; filename="a.txt"' if name == "photo" else ""
        body += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n{value}\r\n'
    return f"{body}--{boundary}--\r\n"


REQUESTS = (
    [("GET", f"/users/{n}", None, None) for n in (1, 2, 3, 42, 99)]
    + [("GET", f"/search?q={q}&page={p}", None, None) for q in ("tea", "a%20b", "%C3%BC") for p in (1, 2)]
    + [("GET", "/job", None, None)] * 4
    + [("POST", "/orders", {"sku": sku, "count": count}, JSON) for sku in ("a", "b") for count in (0, 2)]
    + [("GET", "/orders/7", None, None), ("DELETE", "/orders/7", None, None)]
    + [("POST", "/form", f"name={n}&x=%26", "application/x-www-form-urlencoded") for n in ("a", "b+c")]
    + [("POST", "/upload", parts(f"boundary{n}", title="t" * n, photo="x" * n), f"multipart/form-data; boundary=boundary{n}")
       for n in (1, 2, 30)]
    + [("GET", path, None, None) for path in (
        "/old", "/list", "/deep", "/big", "/numbers", "/latin", "/hal", "/vague", "/text", "/page",
        "/pixel", "/zipped", "/down", "/braces", "/missing")]
)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status, kind, headers, content = answer(self.command, self.path, body)
        if isinstance(content, (dict, list)):
            charset = "latin-1" if "8859" in kind else "utf-8"
            content = json.dumps(content, ensure_ascii=False).encode(charset)
        elif isinstance(content, str):
            content = content.encode()
        if headers.get("Content-Encoding") == "gzip":
            content = gzip.compress(content)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if kind:
            self.send_header("Content-Type", kind)
        if status != 204:
            self.send_header("Content-Length", str(len(content or b"")))
        self.end_headers()
        self.wfile.write(content or b"")

    do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

    def log_message(self, *_):
        pass


def serve():
    return ThreadingHTTPServer(("127.0.0.1", 0), Handler)
