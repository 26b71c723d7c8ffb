"""The live API of the suites: `upstream.py ADDRESS CHAIN KEY LOG`, HTTPS on port 443 and HTTP on port 80.

Writes a line for each request to LOG. Says `ready` once it listens.
"""

import gzip
import json
import ssl
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

ITEMS = {
    number: {"id": number, "name": name, "price": {"amount": amount, "currency": "EUR"}, "tags": tags}
    for number, name, amount, tags in (
        (16, "kettle", "39.90", ["kitchen"]), (17, "lamp", "24.00", ["light", "desk"]), (18, "rug", "120.50", []))
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "shop"
    sys_version = ""

    def send(self, status, document=None, headers=()):
        self.send_response(status)
        body = b""
        if document is not None:
            body = json.dumps(document, separators=(",", ":")).encode()
            self.send_header("Content-Type", "application/json")
        for name, value in headers:
            self.send_header(name, value)
            if (name, value) == ("Content-Encoding", "gzip"):
                body = gzip.compress(body, mtime=0)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        url = urlsplit(self.path)
        parts = url.path.strip("/").split("/")
        if parts == ["up"]:
            self.send(200, {"up": True})
        elif parts == ["v1", "items"]:
            limit = int(parse_qs(url.query).get("limit", ["2"])[0])
            self.send(200, {"items": list(ITEMS.values())[:limit], "total": len(ITEMS)})
        elif parts[:2] == ["v1", "items"] and len(parts) == 3:
            item = ITEMS.get(int(parts[2]))
            self.send(200, item) if item else self.send(404, {"error": "no such item"})
        elif parts == ["v1", "newest"]:
            self.send(302, headers=[("Location", "/v1/items/18")])
        elif parts == ["v1", "report"] and "gzip" in self.headers.get("Accept-Encoding", ""):
            self.send(200, {"sold": [7] * 200}, [("Content-Encoding", "gzip")])
        elif parts == ["v1", "report"]:
            self.send(200, {"sold": [7] * 200})
        else:
            self.send(404, {"error": "no such page"})

    def do_POST(self):
        wanted = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send(201, {"id": 19, "name": wanted["name"]}, [("Location", "/v1/items/19")])

    def do_DELETE(self):
        self.send(204)

    def log_message(self, text, *values):
        with open(sys.argv[4], "a") as log:
            log.write(f"{self.headers.get('Host')} {text % values}\n")


address, chain, key = sys.argv[1:4]
context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
context.load_cert_chain(chain, key)
encrypted, plain = ThreadingHTTPServer((address, 443), Handler), ThreadingHTTPServer((address, 80), Handler)
# The handshake belongs to the thread of its connection.
encrypted.socket = context.wrap_socket(encrypted.socket, server_side=True, do_handshake_on_connect=False)
threading.Thread(target=plain.serve_forever, daemon=True).start()
print("ready", flush=True)
encrypted.serve_forever()
