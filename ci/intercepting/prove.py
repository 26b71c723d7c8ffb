"""Records and replays the suites in a network without a way out: `prove.py WORK TOOL`.

ci/unchanged starts it by `unshare`, once everything is installed. WORK has what it installed and built, and gets
the contracts. Exits with 0 when each suite is recorded and replayed in each way that its client allows.
"""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
SUITES = HERE / "clients"
ADDRESS = "198.51.100.7"
# Each suite sends so many requests: nine, and one that a redirect leads to.
REQUESTS = 10
SYSTEM_ROOTS = Path("/etc/ssl/certs/ca-certificates.crt")


@dataclass
class Client:
    name: str
    command: list
    version: list
    # Why it does not come by proxy variables, if it does not.
    hermetic_only: str = ""


def python(name, *arguments):
    return [f"{WORK}/venv/bin/python", f"{SUITES}/{name}_suite.py", *arguments]


def python_version(name):
    return [f"{WORK}/venv/bin/python", "-c", f"import {name}; print({name}.__version__)"]


def clients():
    node, system_node = f"{WORK}/venv/lib/node", "node"
    node_version = [node, "--version"]
    urllib_version = [f"{WORK}/venv/bin/python", "-c", "import sys; print(sys.version)"]
    axios_version = [node, "-p", "require('axios').VERSION"]
    return [
        # The first: whoever heeds no proxy is tried with its contracts.
        Client("requests", python("requests"), python_version("requests")),
        Client("httpx", python("httpx"), python_version("httpx")),
        Client("urllib", python("urllib"), urllib_version),
        Client("aiohttp", python("aiohttp"), python_version("aiohttp"), "heeds them by trust_env"),
        Client("aiohttp, trust_env", python("aiohttp", "environment"), python_version("aiohttp")),
        Client("Node, fetch", [node, f"{SUITES}/fetch.cjs"], node_version),
        Client("Node, https", [node, f"{SUITES}/https.cjs"], node_version),
        Client("Node, axios", [node, f"{SUITES}/axios.cjs"], axios_version),
        # Before 22.21, it gets what it lacks.
        Client("system's Node, fetch", [system_node, f"{SUITES}/fetch.cjs"], [system_node, "--version"]),
        Client("system's Node, https", [system_node, f"{SUITES}/https.cjs"], [system_node, "--version"]),
        Client("system's Node, axios", [system_node, f"{SUITES}/axios.cjs"], axios_version),
        Client("curl", [f"{SUITES}/curl"], ["curl", "--version"]),
        Client("Go, net/http", [f"{WORK}/go-suite"], ["go", "version"]),
        Client("Java, HttpClient", ["java", "-cp", WORK, "Suite"], ["java", "-version"]),
        Client("Swift, URLSession", [f"{WORK}/swift-suite"], ["swift", "--version"], "trusts the system's file alone"),
    ]


def output(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return done.stdout + done.stderr


class Upstream:
    """The live API, while a `with` lasts."""

    log = None

    def __enter__(self):
        Upstream.log.write_text("")
        authority = f"{WORK}/authority"
        self.process = subprocess.Popen(
            [sys.executable, HERE / "upstream.py", ADDRESS, f"{authority}/chain.pem", f"{authority}/leaf.key",
             Upstream.log], stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            sys.exit("ci/unchanged: the upstream does not start")
        return self

    def requests(self):
        return Upstream.log.read_text().splitlines()

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


class Failed(Exception):
    pass


def understudy(arguments, command=(), code=0, folder=None):
    """What the tool says; its exit code must be this one."""
    arguments = [TOOL, *arguments, *(["--", *command] if command else [])]
    done = subprocess.run(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, cwd=folder)
    if done.returncode != code:
        raise Failed(f"{' '.join(map(str, arguments))}\nexited with {done.returncode}, expected {code}:\n{done.stdout}")
    return done.stdout


def served(said):
    """The number of requests in the last line of `run`."""
    return int(re.search(r"(\d+) requests?, \d+ of", said)[1])


def contracts(name):
    return Path(WORK, "contracts", re.sub(r"\W+", "-", name))


def prove(client, *way):
    """Records a suite from the live API, then replays it without; gives both numbers of requests."""
    folder = ["--contracts", contracts(" ".join([client.name, *way]))]
    hosts = ["--only-host", "api.shop.test", "--only-host", "status.shop.test"] if way else []
    with Upstream() as upstream:
        understudy(["record", *folder, *way, *hosts], client.command)
        recorded = upstream.requests()
        if len(recorded) != REQUESTS:
            raise Failed(f"the live API got {len(recorded)} requests, expected {REQUESTS}:\n" + "\n".join(recorded))
        # Where its history is nobody else's.
        understudy(["drift", *folder], folder=WORK)
    return len(recorded), replay(["run", *way, *folder], client)


def replay(arguments, client):
    replayed = served(understudy(arguments, client.command))
    if replayed != REQUESTS:
        raise Failed(f"the fake got {replayed} requests, expected {REQUESTS}")
    return replayed


def prove_noticed(client):
    """A suite that proxy variables do not bring to the fake is red, even though no request of it is seen."""
    replayed = served(understudy(["run", "--contracts", contracts("requests")], client.command, code=1))
    if replayed:
        raise Failed(f"the fake got {replayed} requests, expected none: {client.hermetic_only}")


def prepare():
    """Loopback, the live API's address and hosts, and its root among the system's."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    subprocess.run(["ip", "address", "add", f"{ADDRESS}/32", "dev", "lo"], check=True)
    hosts, roots = Path(WORK, "hosts"), Path(WORK, "roots.pem")
    hosts.write_text(f"127.0.0.1 localhost\n{ADDRESS} api.shop.test status.shop.test\n")
    roots.write_text(SYSTEM_ROOTS.read_text() + Path(WORK, "authority/root.pem").read_text())
    subprocess.run(["mount", "--bind", hosts, "/etc/hosts"], check=True)
    subprocess.run(["mount", "--bind", roots, SYSTEM_ROOTS], check=True)


WORK, TOOL = sys.argv[1:3]
prepare()
Upstream.log = Path(WORK, "requests.log")
ways = ["proxy", "hermetic"]
rows, failures = [("client", "version", "way", "recorded", "replayed")], []
for client in clients():
    version = re.search(r"\d+(\.\d+)+", output(client.version))[0]
    for way in ways:
        print(f"{client.name}, {way}", flush=True)
        try:
            if way == "proxy" and client.hermetic_only:
                prove_noticed(client)
                rows.append((client.name, version, way, "", client.hermetic_only))
                continue
            counts = prove(client, "--hermetic") if way == "hermetic" else prove(client)
            rows.append((client.name, version, way, *map(str, counts)))
        except Failed as failure:
            rows.append((client.name, version, way, "failed", ""))
            failures.append(f"ci/unchanged: {client.name}, {way}: {failure}")
widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
for row in rows:
    print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
for failure in failures:
    print(failure, file=sys.stderr)
sys.exit(1 if failures else 0)
