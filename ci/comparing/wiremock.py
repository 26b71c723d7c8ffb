"""Plays stubs with WireMock and with our server, and compares what both answer to the same requests."""

import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import stubs as stub_files
from stubs import Request, Stub

understudy, jar, folder, work = sys.argv[1], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])
# Whether all answers have expressions.
is_global = "--global-response-templating" in sys.argv[5:]

# What an import leaves out for good reason: a pattern of its beginning, and why that is so.
LEFT_OUT = {
    "a case does not pass requests on": "proxies need a live API",
    "a contract has no conditions on XML and bytes": "XML and binary bodies are not compared",
    r"contracts have no expression like \{\{(?!request\.)": "blocks and helpers of Handlebars are a programming language",
    "nothing here is transformed by": "transformers are Java",
    "a custom matcher is code": "matchers are Java",
    "a schema cannot say what this JSONPath does": "deep scans, slices and functions",
    "a contract has no port": "the fake has one port",
    "the fake speaks HTTP": "WireMock matches the scheme that it was asked by",
    "the file of a case has one name": "names of files are not templates",
    "a contract has no method": "TRACE and CONNECT",
    "a case has a status from 200 to 599": "other statuses are no final answers",
    "the pattern looks ahead or behind": "the patterns of contracts take linear time",
    "the pattern cannot be used": "the patterns of contracts take linear time",
    r"contracts have no expression like \{\{request\.(cookies|requestLine\.host)": "a cookie is part of a header",
    "lint finds an error: found an empty segment": "paths have one slash at a time",
    "the pattern has a possessive quantifier": "the patterns of contracts take linear time",
}
# Parts that are left out while the stub is played.
PARTS = ("/postServeActions", "/serveEventListeners", "/response/statusMessage")
# Kinds of notes, and the beginnings of their reasons, that explain why a near miss is answered otherwise.
WIDER = {
    ("widened", "query parameters may come in any order"): "WireMock compares the text of the URL",
    ("widened", "the tail of a path may be missing"): "a tail may be empty",
    ("narrowed", "a URL in the answer has only the query"): "no expression gives a whole query",
    ("widened", "a request may also have no query"): "no condition asks for any query at all",
    ("widened", "one part of the name is enough"): "ANY and ALL are the same for one part",
}
# The same for the stub's own requests.
NARROWER = {
    ("narrowed", "a parameter is one segment"): "`.*` in the middle of a path",
    ("narrowed", "the value of a query parameter"): "`.*` in the middle of a query",
    ("narrowed", "a schema does not compare numbers as text"): "JSONPath compares texts, schemas values",
}
DELAY_MAX = 50
FRAMING = {"content-length", "transfer-encoding", "connection", "date", "content-encoding", "keep-alive", "server"}


class Program:
    """A program that runs until the end of the block, once it has printed the expected line."""

    def __init__(self, *words: object, line: str):
        self.process = subprocess.Popen(
            [str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=work)
        printed = []
        for text in self.process.stdout:
            printed.append(text)
            if found := re.search(line, text):
                self.port = int(found[1])
                break
        else:
            fail(f"{words[0]} ended early:\n{''.join(printed)}")
        self.reader = threading.Thread(target=self.process.stdout.read, daemon=True)
        self.reader.start()

    def __enter__(self) -> int:
        return self.port

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def fail(message: str) -> None:
    print(f"ci/compare wiremock: {message}", file=sys.stderr)
    sys.exit(2)


# Answers

@dataclass
class Answer:
    """What came back; `kind` is how it ended: whole, cut short, nothing, reset, garbage or silence."""

    kind: str
    status: int = 0
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""

    def values(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key == name.lower()]

    @property
    def who(self) -> str | None:
        """The stub or case that answered."""
        return next(iter(self.values("Matched-Stub-Id") + self.values("Understudy-Contract")), None)

    @property
    def is_miss(self) -> bool:
        # WireMock refuses the root when no stub answers.
        return self.kind == "whole" and self.who is None and self.status in (403, 404)

    def __str__(self) -> str:
        if self.is_miss:
            return "no stub answers"
        if self.kind not in ("whole", "cut short"):
            return self.kind
        return f"{self.status} {self.body.decode(errors='replace')}" + (" (cut short)" if self.kind != "whole" else "")


def ask(port: int, request: Request) -> Answer:
    """Sends the very bytes, and reads until the answer is whole or the connection ends."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        try:
            connection.sendall(request.written(port))
            while piece := connection.recv(1 << 16):
                received += piece
                answer = read(received, request)
                if answer.kind == "whole":
                    return answer
        except ConnectionResetError:
            if not received:
                return Answer("reset")
        except TimeoutError:
            return Answer("silence")
    return read(received, request, is_end=True)


def read(received: bytes, request: Request, is_end: bool = False) -> Answer:
    if not received:
        return Answer("nothing")
    head, separator, rest = received.partition(b"\r\n\r\n")
    found = re.match(rb"HTTP/1\.[01] (\d{3})", head)
    if not found or not separator:
        return Answer("garbage")
    lines = head.decode("latin-1").split("\r\n")[1:]
    headers = [(name.strip().lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines)]
    answer = Answer("whole", int(found[1]), headers, rest)
    if request.method == "HEAD" or answer.status in (204, 304):
        answer.body = b""
    elif "chunked" in answer.values("Transfer-Encoding"):
        answer.body, is_whole = unchunked(rest)
        answer.kind = "whole" if is_whole else "cut short"
    elif length := answer.values("Content-Length"):
        answer.kind = "whole" if len(rest) >= int(length[0]) else "cut short"
    elif not is_end:
        answer.kind = "cut short"
    return answer


def unchunked(data: bytes) -> tuple[bytes, bool]:
    body = b""
    while True:
        line, separator, data = data.partition(b"\r\n")
        if not separator or not re.fullmatch(rb"[0-9a-fA-F]+(;.*)?", line):
            return body, False
        size = int(line.split(b";")[0], 16)
        if size == 0:
            return body, True
        if len(data) < size + 2:
            return body + data, False
        body, data = body + data[:size], data[size + 2:]


# Comparing

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?|\b1\d{9}(?:\d{3})?\b")


def moment(text: str) -> float:
    """Seconds since 1970; a time without a zone is in UTC."""
    if text.isdigit():
        return int(text) / (1000 if len(text) > 10 else 1)
    read = datetime.fromisoformat(text)
    return (read if read.tzinfo else read.replace(tzinfo=timezone.utc)).timestamp()


@dataclass
class Shape:
    """Which parts of a stub's answers move."""

    is_random: bool
    has_time: bool

    def same(self, ours: str, theirs: str) -> bool:
        if ours == theirs:
            return True
        if self.is_random:
            ours, theirs = (re.sub(r"\d+", "7", UUID.sub("<uuid>", text)) for text in (ours, theirs))
        if self.has_time:
            times = [TIME.findall(text) for text in (ours, theirs)]
            if len(times[0]) == len(times[1]) and all(
                    abs(moment(a) - moment(b)) < 5 for a, b in zip(*times, strict=True)):
                # Zones are written the same way: "Z" is not "+00:00".
                ours, theirs = (
                    TIME.sub(lambda found: re.sub(r"\d", "0", found[0]), text) for text in (ours, theirs))
        if ours == theirs:
            return True
        try:
            return json.loads(ours) == json.loads(theirs)
        except ValueError:
            return False


def shape(stub: Stub) -> Shape:
    response = stub.value.get("response", {})
    if not is_global and "response-template" not in response.get("transformers", []):
        return Shape(False, False)
    text = json.dumps(response)
    if name := response.get("bodyFileName"):
        file = folder / "__files" / name
        text += file.read_text(errors="replace") if file.is_file() else ""
    return Shape("random" in text.lower(), bool(re.search(r"\bnow\b|\bdate\b", text)))


def difference(ours: Answer, theirs: Answer, ports: tuple[int, int], of: Stub | None) -> str | None:
    """What the answers differ in. `of` is the stub that answered with WireMock."""
    if ours.is_miss or theirs.is_miss:
        return None if ours.is_miss and theirs.is_miss else "whether a stub answers"
    if ours.kind != theirs.kind:
        return "how the answer ends"
    if ours.kind not in ("whole", "cut short"):
        return None
    if ours.status != theirs.status:
        return "status"
    moving = shape(of) if of else Shape(False, False)
    texts = [
        answer.body.decode(errors="surrogateescape").replace(f"127.0.0.1:{port}", "SERVER")
        for answer, port in zip((ours, theirs), ports, strict=True)]
    if ours.kind != "whole":
        return None
    if not moving.same(*texts):
        return "body"
    names = of.value.get("response", {}).get("headers", {}) if of else {}
    for name in [*names, "Content-Type"]:
        if name.lower() in FRAMING:
            continue
        values = [
            [value.replace(f"127.0.0.1:{port}", "SERVER") for value in answer.values(name)]
            for answer, port in zip((ours, theirs), ports, strict=True)]
        if len(values[0]) != len(values[1]) or not all(moving.same(*pair) for pair in zip(*values, strict=True)):
            return f"header {name}: {values[0]} and {values[1]}"
    return None


# Stubs

@dataclass
class Difference:
    stub: Stub
    request: Request
    what: str
    ours: Answer
    theirs: Answer
    # Why that is as it should be.
    known: str = ""


class Comparison:
    """A folder of stubs, played by both."""

    def __init__(self) -> None:
        self.scratch = work / "stubs"
        shutil.rmtree(self.scratch, ignore_errors=True)
        # Both servers read a folder named mappings.
        copy = self.scratch if (folder / "mappings").is_dir() else self.scratch / "mappings"
        shutil.copytree(folder, copy, ignore=lambda _, names: {".git"} & set(names))
        if copy != self.scratch and (copy / "__files").is_dir():
            (copy / "__files").rename(self.scratch / "__files")
        oracle = work / "oracle"
        shutil.rmtree(oracle, ignore_errors=True)
        oracle.mkdir()
        if (folder / "__files").is_dir():
            shutil.copytree(folder / "__files", oracle / "__files")
        self.oracle = oracle
        self.all: list[Stub] = []
        self.refused: list[tuple[Stub, str]] = []
        self.slow: set[str] = set()
        self.differences: list[Difference] = []
        self.by_id: dict[str, Stub] = {}
        self.reached: set[int] = set()
        self.asked = 0

    def run(self) -> int:
        templating = "--global-response-templating" if is_global else "--local-response-templating"
        words = ["--root-dir", self.oracle, "--port", "0", templating, "--disable-banner"]
        with Program("java", "-Xmx256m", "-jar", jar, *words, line=r"^port:\s*(\d+)") as theirs:
            self.teach(theirs)
            self.remove_refused()
            self.read_notes()
            serve = ["wiremock", "--root-dir", self.scratch, "--port", "0", templating]
            with Program(understudy, *serve, line=r"listening on http://127\.0\.0\.1:(\d+)") as ours:
                self.ports = (ours, theirs)
                self.compare()
        return self.report()

    def teach(self, port: int) -> None:
        """Gives WireMock the stubs one by one, in the order of their files: the order in which it reads
        folders is not defined. What it refuses has no oracle."""
        for stub in stub_files.read(self.scratch):
            value = {key: part for key, part in stub.value.items() if key not in ("id", "uuid", "persistent")}
            if isinstance(value.get("response"), dict):
                value["response"] = quick(value["response"])
                if value["response"] != stub.value["response"]:
                    stub.value["response"] = value["response"]
                    self.slow.add(stub.file)
            sent = Request(
                "POST", "/__admin/mappings", (("Content-Type", "application/json"),), json.dumps(value).encode())
            answer = ask(port, sent)
            if answer.status == 201:
                self.all.append(stub)
                self.by_id[json.loads(answer.body)["id"]] = stub
            else:
                found = re.search(r'"detail" : "(.*?)(?: \(class|"\n)', answer.body.decode())
                self.refused.append((stub, found[1] if found else answer.body.decode()[:100]))

    def remove_refused(self) -> None:
        """Our server gets the same stubs, without long delays."""
        for name in {stub.file for stub, _ in self.refused} | self.slow:
            kept = [stub.value for stub in self.all if stub.file == name]
            pointers = [stub for stub in self.all if stub.file == name]
            for number, stub in enumerate(pointers):
                stub.pointer = f"/mappings/{number}"
            (self.scratch / name).write_text(json.dumps({"mappings": kept}))

    def read_notes(self) -> None:
        words = [understudy, "import", "wiremock", str(self.scratch), "--contracts", str(work / "nothing"), "--dry-run", "--format", "json"]
        run = subprocess.run(words, capture_output=True, text=True)
        if run.returncode:
            fail(f"the import failed:\n{run.stderr}")
        self.notes: dict[int, list[dict]] = defaultdict(list)
        by_place = {(str(self.scratch / stub.file), stub.pointer): stub for stub in self.all}
        for note in json.loads(run.stdout)["notes"]:
            pointer = note["pointer"]
            while True:
                if stub := by_place.get((note["file"], pointer)):
                    self.notes[id(stub)].append(note | {"part": note["pointer"].removeprefix(pointer)})
                    break
                if not pointer:
                    fail(f"a note concerns no stub: {note}")
                pointer = pointer.rpartition("/")[0]

    def left_out(self, stub: Stub) -> str | None:
        """Why the import leaves out the whole stub."""
        for note in self.notes[id(stub)]:
            if note["kind"] == "leftOut" and not note["part"].startswith(PARTS) and "has no body" not in note["reason"]:
                return note["reason"]
        return None

    def why_left_out(self, stub: Stub) -> str:
        reason = self.left_out(stub) or ""
        return next((f"{reason}: {why}" for start, why in LEFT_OUT.items() if re.match(start, reason)), "")

    def compare(self) -> None:
        for stub in self.all:
            stub_files.make(stub)
        has_scenarios = any(stub.scenario for stub in self.all)
        for stub in self.all:
            for number, request in enumerate(stub.requests + stub.misses):
                if has_scenarios:
                    self.reset()
                way = self.way(stub) if stub.scenario else []
                for before in way:
                    self.both(before, before.requests[0])
                self.both(stub, request)
                # The next state of a scenario.
                if stub.scenario and number == 0:
                    self.both(stub, request)

    def reset(self) -> None:
        for port in self.ports:
            ask(port, Request("POST", "/__admin/scenarios/reset"))

    def way(self, stub: Stub) -> list[Stub]:
        """The stubs that lead to the state that a stub requires."""
        wanted = stub.value.get("requiredScenarioState", "Started")
        ways = {"Started": []}
        pending = ["Started"]
        while pending and wanted not in ways:
            state = pending.pop(0)
            for step in self.all:
                new = step.value.get("newScenarioState")
                if step.scenario == stub.scenario and new and new not in ways and step.requests \
                        and step.value.get("requiredScenarioState", state) == state:
                    ways[new] = ways[state] + [step]
                    pending.append(new)
        return ways.get(wanted, [])

    def both(self, stub: Stub, request: Request) -> None:
        self.asked += 1
        # A time may tick between two answers.
        for _ in range(3):
            ours, theirs = (ask(port, request) for port in self.ports)
            of = self.by_id.get(theirs.who or "")
            if of is stub and not request.miss:
                self.reached.add(id(stub))
            what = difference(ours, theirs, self.ports, of or stub)
            if not what or not shape(of or stub).has_time:
                break
        if stub.value.get("response", {}).get("fault") and not request.miss and not theirs.who:
            self.reached.add(id(stub))
        if what:
            self.differences.append(
                Difference(stub, request, what, ours, theirs, self.explanation(stub, request, of, ours, theirs)))

    def explanation(self, stub: Stub, request: Request, of: Stub | None, ours: Answer, theirs: Answer) -> str:
        if theirs.status == 500 and b"HandlebarsException" in theirs.body:
            return "WireMock cannot render the answer to this request"
        if any(sign in theirs.body and sign not in ours.body for sign in (b"&lt;", b"&amp;", b"&quot;")):
            return "WireMock escapes what it fills in for HTML"
        for concerned in (of, stub):
            if concerned and (why := self.why_left_out(concerned)):
                return why
        known = WIDER | NARROWER if request.miss else NARROWER
        for note in [note for concerned in (stub, of) if concerned for note in self.notes[id(concerned)]]:
            for (kind, start), why in known.items():
                if note["kind"] == kind and note["reason"].startswith(start):
                    return f"{note['reason']}: {why}"
        return ""

    # Result

    def report(self) -> int:
        by_stub = defaultdict(list)
        for one in self.differences:
            by_stub[id(one.stub)].append(one)
        left = [(stub, self.left_out(stub)) for stub in self.all if self.left_out(stub)]
        known = {id(stub) for stub, _ in left if self.why_left_out(stub)}
        unknown = {id(stub) for stub, _ in left} - known
        silent = [stub for stub in self.all if not stub.requests]
        compared = [stub for stub in self.all if id(stub) not in known]
        # Where all that differs is known to be answered more widely, a stub plays the same.
        wider = [
            stub for stub in compared
            if by_stub[id(stub)] and all(one.known and one.request.miss for one in by_stub[id(stub)])]
        equal = [
            stub for stub in compared
            if (not by_stub[id(stub)] or stub in wider) and id(stub) not in unknown and stub.requests]
        explained = [
            stub for stub in compared
            if stub not in wider and by_stub[id(stub)] and all(one.known for one in by_stub[id(stub)])]
        unexplained = [
            stub for stub in compared if stub not in equal and stub not in explained and stub not in silent]
        share = 100 * len(equal) / len(compared) if compared else 0
        unreached = [stub for stub in equal if id(stub) not in self.reached]

        for stub in unexplained:
            print(f"\n{stub}")
            if id(stub) in unknown:
                print(f"  left out, because {self.left_out(stub)}")
            for one in by_stub[id(stub)]:
                if not one.known:
                    print(f"  {shortened(one.request)}\n    differ in {one.what}")
                    print(f"    WireMock: {shortened(one.theirs)}\n    ours:     {shortened(one.ours)}")
        for title, rows in (
                ("equal, for known reasons not in everything:", Counter(
                    why for stub in explained + wider for why in {one.known for one in by_stub[id(stub)]})),
                ("left out by the import:", Counter(reason for _, reason in left)),
                ("unknown to WireMock 2.35.1:", Counter(reason for _, reason in self.refused))):
            if rows:
                print(f"\n{title}")
                for reason, count in rows.most_common():
                    print(f"  {count:4} × {reason}")
        for title, listed in (
                ("no request could be made:", [f"{stub}: {stub.trouble}" for stub in silent]),
                ("equal, but WireMock answered by another stub or by none:", [str(stub) for stub in unreached])):
            if listed:
                print(f"\n{title}")
                for line in listed:
                    print(f"  {line}")
        print(f"\n{folder}")
        for name, count in (
                ("stubs", len(self.all) + len(self.refused)),
                ("unknown to WireMock 2.35.1", len(self.refused)),
                ("left out for a known reason", len(known)),
                ("compared", len(compared)),
                ("equal", len(equal)),
                ("equal but for known near misses", len(wider)),
                ("different, explained", len(explained)),
                ("different, unexplained", len(unexplained)),
                ("without a request", len(silent)),
                ("requests", self.asked),
                ("requests answered differently", len(self.differences))):
            print(f"  {name:33}{count:6}")
        print(f"  {'equal of those compared':33}{share:6.1f} %")
        return 0 if share >= 98 and not unexplained and not silent else 1


def quick(response: dict) -> dict:
    """Without long delays, which are no part of what is compared."""
    delay = response.get("delayDistribution") or {}
    times = [value for key, value in delay.items() if isinstance(value, (int, float)) and key != "sigma"]
    slow = set()
    if max(times, default=0) > DELAY_MAX:
        slow.add("delayDistribution")
    if (response.get("fixedDelayMilliseconds") or 0) > DELAY_MAX:
        slow.add("fixedDelayMilliseconds")
    if ((response.get("chunkedDribbleDelay") or {}).get("totalDuration") or 0) > DELAY_MAX:
        slow.add("chunkedDribbleDelay")
    return {key: value for key, value in response.items() if key not in slow}


def shortened(value: Any) -> str:
    text = str(value).replace("\n", "\\n")
    return text if len(text) <= 300 else text[:297] + "…"


work.mkdir(parents=True, exist_ok=True)
try:
    sys.exit(Comparison().run())
except (OSError, ValueError) as error:
    fail(f"{folder}: {error}")
