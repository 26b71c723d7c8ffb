"""Records HARs with mitmproxy, imports them, and compares the fake with what was recorded."""

import base64
import http.client
import json
import re
import signal
import subprocess
import sys
import threading
from collections import Counter, defaultdict
from pathlib import Path
from urllib.parse import urlsplit

from haralyzer import HarParser

import shapes

understudy, mitmdump, contracts, work = sys.argv[1:]
work = Path(work)
failures = []


class Program:
    """A program that runs until the end of the block, once it has printed the expected line."""

    def __init__(self, *words, line):
        self.process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=work)
        printed = []
        for text in self.process.stdout:
            printed.append(text)
            self.found = re.search(line, text)
            if self.found:
                break
        else:
            sys.exit(f"ci/compare har: {words[0]} ended early:\n{''.join(printed)}")
        self.reader = threading.Thread(target=self.process.stdout.read, daemon=True)
        self.reader.start()

    def __enter__(self):
        return int(self.found[1])

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()


def fake(folder):
    return Program(
        understudy, "serve", "--port", "0", "--no-names", str(folder), line=r"listening on http://127.0.0.1:(\d+)")


def ask(port, method, target, body=None, headers=()):
    if isinstance(body, dict):
        body = json.dumps(body)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request(method, target, body.encode() if isinstance(body, str) else body, dict(headers))
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def recorded(name, port, requests):
    """The HAR of the requests, sent through a reverse proxy of mitmproxy."""
    path = work / f"{name}.har"
    path.unlink(missing_ok=True)
    words = [mitmdump, "--mode", f"reverse:http://127.0.0.1:{port}", "--listen-host", "127.0.0.1",
             "--listen-port", "0", "--set", f"hardump={path}", "--set", "confdir=" + str(work)]
    with Program(*words, line=r"listening at \S*?:(\d+)\D*$") as proxy:
        for method, target, body, kind in requests:
            try:
                ask(proxy, method, target, body, {"Content-Type": kind}.items() if kind else ())
            except (http.client.HTTPException, OSError):
                pass
    return path


def own_requests(port):
    """The example requests of the shipped contracts."""
    listed = json.loads(ask(port, "GET", "/__understudy/contracts")[1])
    folders = {upstream["name"]: urlsplit(upstream["baseURL"]).path for upstream in listed["upstreams"]}
    requests = []
    for contract in listed["contracts"]:
        if contract["method"] != "GET":
            continue
        upstream = contract["id"].split("/")[0]
        path = re.sub(r"\{[^}]*\}", "1", contract["path"])
        requests += [("GET", folders[upstream] + path, None, None)] * 2
    return requests


def same(expected, found):
    """Equal as JSON, or else as bytes."""
    try:
        return json.loads(expected) == json.loads(found)
    except ValueError:
        return expected == found


def content(entry):
    body = entry["response"]["content"]
    text = body.get("text") or ""
    return base64.b64decode(text) if body.get("encoding") == "base64" else text.encode()


def compare(name, har):
    """Imports a HAR, and asks the fake for each entry; repeated requests in the order of their script."""
    folder = work / f"{name}-contracts"
    subprocess.run(["rm", "-rf", str(folder)], check=True)
    words = [understudy, "import", str(har), "--contracts", str(folder), "--upstream", "live", "--all"]
    run = subprocess.run(words + ["--format", "json"], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"ci/compare har: the import failed:\n{run.stderr}")
    notes = json.loads(run.stdout)["notes"]
    reasons = {note["pointer"]: note["reason"] for note in notes if note["kind"] == "leftOut"}
    again = subprocess.run(words, capture_output=True, text=True)
    if not again.stdout.endswith("nothing changed\n"):
        failures.append(f"{name}: a second import changes something:\n{again.stdout}")
    lint = subprocess.run([understudy, "lint", str(folder)], capture_output=True, text=True)
    if lint.returncode:
        failures.append(f"{name}: lint finds\n{lint.stdout}")
    entries = json.loads(har.read_bytes())["log"]["entries"]
    scripts = defaultdict(list)
    for number, entry in enumerate(entries):
        request = entry["request"]
        key = (request["method"], request["url"], (request.get("postData") or {}).get("text"))
        if f"/log/entries/{number}" not in reasons:
            scripts[key].append(entry)
    equal = 0
    with fake(folder) as port:
        listed = json.loads(ask(port, "GET", "/__understudy/contracts")[1])
        for contract in listed["contracts"]:
            for script in contract["scripts"][:1]:
                ask(port, "POST", f"/__understudy/contracts/{contract['id']}/script", {"script": script})
        for (method, url, sent), answers in scripts.items():
            parts = urlsplit(url)
            target = "/live" + parts.path + (f"?{parts.query}" if parts.query else "")
            headers = {h["name"]: h["value"] for h in answers[0]["request"]["headers"]
                       if h["name"].lower() in ("content-type", "accept", "authorization")}
            last = None
            for entry in answers:
                expected = (entry["response"]["status"], content(entry))
                # A script has an answer once, however often it was repeated.
                if expected != last:
                    found = ask(port, method, target, sent, headers.items())
                last = expected
                if found[0] == expected[0] and same(expected[1], found[1]):
                    equal += 1
                else:
                    failures.append(f"{name}: {method} {url}: {expected} became {found}")
    print(f"{name}: {len(entries)} entries of mitmproxy, {equal} answered the same,"
          f" {len(reasons)} left out")
    for reason, count in Counter(reasons.values()).items():
        print(f"  {count} × {reason}")


def export(har):
    """haralyzer reads what a fake has exported."""
    with fake(work / "shapes-contracts") as port:
        for method, target, body, kind in shapes.REQUESTS:
            ask(port, method, "/live" + target, body, {"Content-Type": kind}.items() if kind else ())
        ask(port, "GET", "/nowhere")
        subprocess.run(
            [understudy, "export", "har", "--url", f"http://127.0.0.1:{port}", "--output", str(har)],
            check=True, capture_output=True)
    parser = HarParser(json.loads(har.read_bytes()))
    entries = parser.har_data["entries"]
    if len(entries) != len(shapes.REQUESTS) + 1:
        failures.append(f"export: haralyzer finds {len(entries)} entries")
    read = Counter()
    for number, raw in enumerate(parser.pages[0].entries if parser.pages else []):
        read[raw.response.status // 100] += 1
        wanted = shapes.REQUESTS[number][0] if number < len(shapes.REQUESTS) else "GET"
        if raw.request.method != wanted or raw.startTime is None:
            failures.append(f"export: entry {number} is {raw.request.method}, not {wanted}")
    print(f"export: haralyzer reads {len(entries)} entries of {parser.creator['name']}"
          f" {parser.creator['version']}: " + ", ".join(f"{n} × {s}xx" for s, n in sorted(read.items())))


server = shapes.serve()
threading.Thread(target=server.serve_forever, daemon=True).start()
compare("shapes", recorded("shapes", server.server_address[1], shapes.REQUESTS))
with fake(Path(contracts).resolve()) as port:
    har = recorded("own", port, own_requests(port))
compare("own", har)
export(work / "export.har")
for failure in failures:
    print(f"ci/compare har: {failure[:2000]}", file=sys.stderr)
sys.exit(1 if failures else 0)
