"""Servers that clients are run against: a command that takes WireMock's options, and an upstream to record."""

import http.client
import http.server
import socket
import subprocess
import threading
import time
from pathlib import Path

SECONDS_MAX = 60


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """Runs until the end of the block, unless a client shuts it down."""

    def __init__(self, program: str, root: Path, *options: str) -> None:
        self.port = free_port()
        # The program prints to a file beside it.
        self.log = Path(program).with_name(Path(program).name.removeprefix("start-") + ".log")
        words = [program, "--port", str(self.port), "--root-dir", str(root), "--disable-banner", *options]
        root.mkdir(parents=True, exist_ok=True)
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL)
        end = time.monotonic() + SECONDS_MAX
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > end:
                self.stop()
                raise RuntimeError(f"{program} does not serve on port {self.port}:\n{self.printed()}")
            time.sleep(0.1)

    def printed(self) -> str:
        return self.log.read_text()[-2000:] if self.log.exists() else ""

    def answers(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/__admin/mappings")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def has_ended(self, seconds: float = 10) -> bool:
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            if not self.has_ended():
                self.process.kill()
                self.process.wait()

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class Upstream(http.server.ThreadingHTTPServer):
    """An API that answers the same every time, for proxies and recordings."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Answers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self) -> None:
        sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        kind, status, text = "application/json", 200, b'{"name":"Ada","id":7}'
        if self.path.startswith("/echo"):
            added = self.headers.get("X-Added") or ""
            kind, text = "text/plain", f"{self.command} {self.path} {added} {sent.decode()}".encode()
        elif self.path.startswith("/missing"):
            kind, status, text = "text/plain", 404, b"not here"
        elif self.path.startswith("/binary"):
            kind, text = "application/octet-stream", bytes(range(16))
        self.send_response_only(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = answer

    def handle(self) -> None:
        try:
            super().handle()
        except ConnectionError:
            pass

    def log_message(self, *_: object) -> None:
        pass
