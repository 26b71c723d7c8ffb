"""What Understudy costs, in figures that hardly differ from run to run or from machine to machine.

A figure is the difference of two runs, one of which does more, so that the start of the process does not
count; or one whole run, where the start is what users wait for; or what a running server does.
"""

import functools
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import callgrind
from callgrind import Counts

SOURCES = pathlib.Path(__file__).parent.parent.parent
# How often a request is sent before it counts, and how much more often then: often enough that what happens once,
# such as the growth of a buffer, hardly counts.
BEFORE, MORE = 200, 1000
# How many contracts are made at run time.
STUBS_BEFORE, STUBS_MORE = 50, 200
# Threads take memory and wait for each other as chance has it, so the smallest of several runs counts.
TRY_COUNT = 7


def request(target, *headers, method="GET", body=b""):
    lines = [f"{method} {target} HTTP/1.1", "Host: 127.0.0.1", "User-Agent: budget/1.0", "Accept: */*", *headers]
    if body:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode() + body


# What is sent to a server with the shipped contracts, and the status of the response.
REQUESTS = {
    "request plain": (request("/joke/random_joke"), 200),
    "request with a parameter": (request("/joke/jokes/2"), 200),
    "request by when": (request("/github/orgs/apple/repos?page=2"), 200),
    "request with state": (request("/restaurants/favorites"), 200),
    "request of a script": (request("/~script/joke/random_joke"), 200),
    "request from a template": (request("/github/orgs/apple/repos"), 200),
    "request in a session": (request("/~session/joke/random_joke"), 200),
    "request that nothing matches": (request("/joke/nothing"), 404),
}


# A command for `run`, which must send a request; it is not counted.
CLIENT = """
import os, urllib.request
urllib.request.urlopen(os.environ["UNDERSTUDY_URL_JOKE"] + "/random_joke").read()
"""


class Figure:
    def __init__(self, measure, unit="instructions"):
        self.measure, self.unit = measure, unit


class Figures:
    """All figures, by name."""

    def __init__(self, understudy, showcase, work):
        self.understudy = str(understudy)
        self.showcase = str(showcase)
        self.work = pathlib.Path(work).resolve()
        self.contracts = str(SOURCES / "Contracts")
        self.copies = self.made_copies()
        instructions = {
            "version": lambda: self.whole(["--version"]),
            "lint, shipped contracts": lambda: self.whole(["lint", self.contracts]),
            "lint, 20 copies of them": lambda: self.whole(["lint", self.copies]),
            "serve, to the first response": self.serve_first,
            **{name: functools.partial(self.request, name) for name in REQUESTS},
            "stub made at run time": self.stub,
            "import, a stub": lambda: self.imported("stubs-of-one-path"),
            "import, an operation": lambda: self.imported("operations"),
            "import, an entry of a HAR": lambda: self.imported("entries-of-many-paths"),
            "record, a response": self.record,
            "drift, a response": self.drift,
            "test, a check": self.check,
            "test, a mutant": self.mutant,
            "run, start to end": self.run,
        }
        self.measures = {name: Figure(measure) for name, measure in instructions.items()} | {
            "lint, 20 copies: peak memory": Figure(self.lint_memory, "bytes"),
            "serve: peak memory": Figure(self.serve_memory, "bytes"),
            "serve, to the first: system calls": Figure(self.first_calls, "calls"),
            "request plain: system calls": Figure(self.request_calls, "calls"),
            "the tool, stripped": Figure(self.tool_size, "bytes"),
        }

    # Commands

    def whole(self, words):
        with tempfile.TemporaryDirectory() as folder:
            return callgrind.run([self.understudy, *words], folder)

    def imported(self, case):
        def documents(count):
            folder = self.folder(f"import-{case}-{count}")
            generator = SOURCES / "ci/benchmarks/import/generate.py"
            made = subprocess.run(
                [sys.executable, generator, case, str(count), folder], check=True, capture_output=True, text=True)
            kind, path = made.stdout.split()
            return self.whole(["import", kind, path, "--contracts", folder + "/contracts", "--dry-run"])

        return documents(200).since(documents(100)).per(100)

    # Commands that start others

    def started(self, program, words):
        with tempfile.TemporaryDirectory() as folder:
            return callgrind.run_and_read([program, *words], folder, callgrind.PORTABLE)

    def tested(self, *words):
        return self.started(self.showcase, ["test", "--contracts", self.contracts, "--jobs", "1", *words])

    def check(self):
        many, few = (self.tested("joke/random-joke#ok", "--repeat", str(count))[0] for count in (120, 20))
        return many.since(few).per(100)

    def mutant(self):
        def mutated(selection):
            counts, printed = self.tested("--mutate", selection, "--consumer", "jokes.random")
            return counts, sum(int(count) for count in re.findall(r"handled \d+ of (\d+) mutants", printed))

        (all_counts, all_count), (one_counts, one_count) = mutated("joke/*"), mutated("joke/random-joke#ok")
        return all_counts.since(one_counts).per(all_count - one_count)

    def run(self):
        words = ["run", "--contracts", self.contracts, "--", sys.executable, "-c", CLIENT]
        return self.started(self.understudy, words)[0]

    # Servers

    def serving(self):
        return [self.understudy, "serve", self.contracts, "--port", "0", "--quiet"]

    def serve(self, drive):
        return callgrind.serve(self.serving(), drive)

    def serve_first(self):
        return self.serve(lambda server: server.ask(*REQUESTS["request plain"]))

    def requests(self, names):
        """Of one server, since most of the time goes into its start."""
        def drives(name):
            message, status = REQUESTS[name]

            def prepare(server):
                if name == "request of a script":
                    script = {"cases": ["ok"] * (BEFORE + MORE)}
                    path = "/~script/__understudy/contracts/joke/random-joke/script"
                    server.ask(sent("POST", path, script), status=200)
                server.ask(message, BEFORE, status)

            return prepare, lambda server: server.ask(message, MORE, status)

        counts = callgrind.serve_in_turn(self.serving(), {name: drives(name) for name in names})
        return {name: found.per(MORE) for name, found in counts.items()}

    def request(self, name):
        return self.requests([name])[name]

    def stub(self):
        def drive(count):
            def make(server):
                for number in range(count):
                    stub = {
                        "request": {"method": "GET", "path": f"/made/{number}"},
                        "cases": {"ok": {"status": 200, "body": {"number": number}}},
                    }
                    server.ask(sent("PUT", f"/__understudy/contracts/joke/made-{number}", stub), status=201)

            return self.serve(make)

        return drive(STUBS_BEFORE + STUBS_MORE).since(drive(STUBS_BEFORE)).per(STUBS_MORE)

    # Memory, calls and size

    def lint_memory(self):
        words = [self.understudy, "lint", self.copies]
        return Counts({"": min(callgrind.peak_memory_of(words) for _ in range(TRY_COUNT))})

    def serve_memory(self):
        return Counts({"": min(self.serving_memory() for _ in range(TRY_COUNT))})

    def serving_memory(self):
        server = callgrind.Server(self.serving())
        server.ask(*REQUESTS["request plain"])
        found = callgrind.peak_memory(server.process.pid)
        server.stop()
        return found

    def system_calls(self, count):
        with tempfile.TemporaryDirectory() as folder:
            server = callgrind.Server(
                self.serving(), before=["strace", "--follow-forks", "--quiet=all", "--output", f"{folder}/calls"])
            server.ask(REQUESTS["request plain"][0], count, 200)
            server.stop()
            lines = pathlib.Path(folder, "calls").read_text().splitlines()
            # A call that another thread's interrupts has two lines, and how often threads wait is chance.
            return Counts({"": sum(" resumed>" not in line and " futex(" not in line for line in lines)})

    def first_calls(self):
        return min((self.system_calls(1) for _ in range(TRY_COUNT)), key=lambda counts: counts.total)

    def request_calls(self):
        return self.system_calls(BEFORE + MORE).since(self.system_calls(BEFORE)).per(MORE)

    def tool_size(self):
        stripped = self.folder("stripped") + "/understudy"
        subprocess.run(["strip", "-o", stripped, self.understudy], check=True)
        return Counts({"": pathlib.Path(stripped).stat().st_size})

    # A live API, which our own fake stands in for

    def record(self):
        server = callgrind.Server([self.understudy, "serve", self.many(60), "--port", "0", "--quiet"])
        try:
            many, few = (self.recorded(server.port, count) for count in (60, 10))
        finally:
            server.stop()
        return many.since(few).per(50)

    def recorded(self, port, count):
        urls = [f"http://127.0.0.1:{port}/many/things/{number}" for number in range(count)]
        return self.whole(["record", "--contracts", self.folder(f"record-{count}"), "--upstream", "many", "--dry-run", *urls])

    def drift(self):
        contracts = self.many(60, "drift")
        server = callgrind.Server([self.understudy, "serve", contracts, "--port", "0", "--quiet"])

        def compared(selection):
            base_url = f"many=http://127.0.0.1:{server.port}/many/many"
            words = ["drift", selection, "--contracts", contracts, "--base-url", base_url]
            return self.started(self.understudy, words)[0]

        try:
            many, few = compared("many/*"), compared("many/thing-?")
        finally:
            server.stop()
        return many.since(few).per(50)

    # Files

    def folder(self, name):
        """A new one."""
        path = self.work / name
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
        return str(path)

    def made_copies(self):
        folder = self.folder("copies")
        script = SOURCES / "ci/benchmarks/contracts/copies.py"
        subprocess.run([sys.executable, script, self.contracts, "20", folder], check=True)
        return folder

    def many(self, count, name="record"):
        """A folder of contracts with live cases, whose bodies are those of a shipped one."""
        folder = pathlib.Path(self.folder(f"many-{name}"))
        (folder / "many").mkdir()
        (folder / "many/upstream.json").write_text('{ "baseURL": "http://127.0.0.1:1/many" }')
        shipped = json.loads((SOURCES / "Contracts/joke/random-joke.json").read_text())["cases"]["ok"]
        case = {name: shipped[name] for name in ("status", "headers", "body", "schema")} | {"live": {}}
        for number in range(count):
            contract = {"request": {"method": "GET", "path": f"/things/{number}"}, "cases": {"ok": case}}
            (folder / f"many/thing-{number}.json").write_text(json.dumps(contract, indent=2))
        return str(folder)


def sent(method, target, value):
    return request(target, "Content-Type: application/json", method=method, body=json.dumps(value).encode())
