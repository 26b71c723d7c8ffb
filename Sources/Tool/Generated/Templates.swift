// swift-format-ignore-file
// Written by ci/generate. To change it, edit the file named by its constant and run that again.

enum Templates {
  static let contract = #"""
{
  "$schema": "../contract.schema.json",
  "summary": "A greeting",
  "request": { "method": "GET", "path": "/greeting" },
  "cases": {
    "ok": {
      "status": 200,
      "headers": { "Content-Type": "application/json" },
      "body": { "id": 1, "text": "Hello" },
      "schema": {
        "type": "object",
        "required": ["id", "text"],
        "properties": { "id": { "type": "integer" }, "text": { "type": "string" } }
      },
      "expect": { "@CONSUMER@": { "exitCode": 0 } }
    },
    "not-found": {
      "status": 404,
      "headers": { "Content-Type": "application/json" },
      "body": { "error": "no greeting today" },
      "expect": { "@CONSUMER@": { "exitCode": 0 } }
    },
    "malformed": {
      "summary": "The body ends in the middle",
      "like": "ok",
      "malform": { "truncateAt": 12 },
      "expect": { "@CONSUMER@": { "exitCode": 1 } }
    },
    "slow": {
      "like": "ok",
      "delay": { "fixed": "1s" },
      "expect": { "@CONSUMER@": { "exitCode": 0 } }
    },
    "reset": {
      "summary": "The connection breaks before the response",
      "fault": "CONNECTION_RESET_BY_PEER",
      "expect": { "@CONSUMER@": { "exitCode": 3 } }
    }
  }
}

"""#
  static let consumers = #"""
{
  "$schema": "consumers.schema.json",
  "@CONSUMER@": {
    "summary": "Calls each endpoint and checks its response. Put your own client here.",
    "upstreams": ["@NAME@"],
    "command": ["understudy", "call"]
  }
}

"""#
  static let keptIgnore = #"""
# Reports, responses of live APIs and the like, which are made again. To share what takes longest to make,
# remove the # before what you want in the repository.
*
!.gitignore
# What commands read, as "understudy reads --learn" finds it out; CI gets it from here:
!reads.json
# The history of live checks, unless CI keeps it elsewhere:
# !drift/
# !drift/history.jsonl

"""#
  static let githubWorkflow = #"""
# The contracts and their consumers on every change, and the live APIs nightly. This file is yours to
# change. It uses a release of Understudy, which is not published yet: OWNER is whoever will publish it.
name: Contracts
on:
  push:
    branches: [main, master]
  pull_request:
  schedule:
    # Not on the hour, when load is high.
    - cron: "37 3 * * *"
  # By hand, like at run.
  workflow_dispatch:

permissions: {}

jobs:
  contracts:
    if: github.event_name == 'push' || github.event_name == 'pull_request'
    runs-on: ubuntu-latest
    timeout-minutes: 30
    permissions:
      contents: read
    steps:
      - uses: actions/checkout@v5
        with:
          persist-credentials: false
      # Install here what your consumers need, by actions/setup-node and `npm ci` for example.
      - uses: OWNER/understudy/ci/deploy/action@v0.1.0
        with:
          command: lint
      - uses: OWNER/understudy/ci/deploy/action@v0.1.0
        with:
          command: test

  # Asks the live APIs, once a case has "live". The history is kept on the branch understudy-history, and
  # one issue says what has changed.
  drift:
    if: github.event_name == 'schedule' || github.event_name == 'workflow_dispatch'
    uses: OWNER/understudy/.github/workflows/drift.yml@v0.1.0
    permissions:
      contents: write
      issues: write
    with:
      # A change that may have consumers is a warning, and fails the run. For each secret, say where it
      # may go: --secret UNDERSTUDY_SHOP_TOKEN=api.shop.example
      arguments: --fail-on warning
      # Where consumers run, and what installs what they need.
      # container: node:24
      # build: npm ci
    secrets:
      # Secrets of the live APIs under their names in upstream.json, one a line: UNDERSTUDY_SHOP_TOKEN=…
      # Add it in Settings → Environments → live-apis.
      UNDERSTUDY_SECRETS: ${{ secrets.UNDERSTUDY_SECRETS }}

"""#
  static let gitlabPipeline = #"""
# The contracts and their consumers on every change, and the live APIs in scheduled pipelines and in those
# started by hand. In .gitlab-ci.yml, include this file of a release, or the copy that `understudy init --ci
# gitlab` writes and `understudy init --refresh` updates. The release that it installs is not published yet:
# OWNER is whoever will publish it.
#
# Consumers may need another image, of Debian 12, Ubuntu 24.04 or newer: in .gitlab-ci.yml, below the
# include, write
#
#   .understudy: { image: "node:24-bookworm" }
#
# Secrets of the live APIs are variables (Settings → CI/CD → Variables, masked and protected) under their
# names in upstream.json, such as UNDERSTUDY_SHOP_TOKEN. In the copy, say where each may go, after
# "understudy drift": --secret UNDERSTUDY_SHOP_TOKEN=api.shop.example
.understudy:
  image: debian:bookworm-slim
  before_script:
    - apt-get update -qq && apt-get install -y -qq ca-certificates curl > /dev/null
    - file=understudy_0.1.0_$(dpkg --print-architecture).deb
    - curl -fsSL -o "/tmp/$file" "https://github.com/OWNER/understudy/releases/download/v0.1.0/$file"
    - apt-get install -y -qq "/tmp/$file" > /dev/null

contracts:
  extends: .understudy
  rules:
    # A push to another branch has a pipeline of its merge request.
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  script:
    - understudy lint
    - understudy test --report junit=.understudy/junit.xml
  artifacts:
    when: always
    reports:
      junit: .understudy/junit.xml

drift:
  extends: .understudy
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule" || $CI_PIPELINE_SOURCE == "web"
  # The history and the responses of earlier runs.
  cache:
    key: understudy-drift
    paths: [.understudy/drift]
    when: always
  script:
    - |
      contracts=$(understudy list --format json)
      case $contracts in
      *'"live": true'*) ;;
      *) echo 'no case has "live" yet, so there is nothing to compare'; exit ;;
      esac
    # A change that may have consumers is a warning, and fails the run.
    - understudy drift --fail-on warning --report junit=.understudy/junit.xml --report html=.understudy/report.html
  # 3 means that something could not be checked, which the next run may fix.
  allow_failure:
    exit_codes: [3]
  artifacts:
    when: always
    paths: [.understudy/report.html, .understudy/drift/captures]
    # The responses of the live APIs, without secrets, to which the page links.
    public: false
    expire_in: 30 days
    reports:
      junit: .understudy/junit.xml

"""#
  static let swiftTests = #"""
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import Testing
import UnderstudyTesting

/// Your client in place of this function; it gets its base URL from the test.
private func greeting(_ baseURL: String) async throws -> String {
  struct Greeting: Decodable {
    let text: String
  }

  let url = try #require(URL(string: "\(baseURL)/greeting"))
  let (body, _) = try await URLSession.shared.data(from: url)
  return try JSONDecoder().decode(Greeting.self, from: body).text
}

@Test(.fake())
func theGreeting() async throws {
  #expect(try await greeting(try FakeAPI.current.baseURL(of: "@NAME@")) == "Hello")
}

@Test(.fake("@NAME@/greeting", case: "not-found"))
func noGreeting() async throws {
  let baseURL = try FakeAPI.current.baseURL(of: "@NAME@")
  await #expect(throws: (any Error).self) { try await greeting(baseURL) }
}

"""#
  static let pythonTests = #"""
"""The tests of a client against Contracts/@NAME@: run them with pytest."""

import json
import urllib.error
import urllib.request

import pytest


def greeting(base_url):
    """Your client in place of this function; it gets its base URL from the test."""
    with urllib.request.urlopen(base_url + "/greeting", timeout=5) as response:
        return json.load(response)["text"]


def test_greeting(understudy):
    assert greeting(understudy.url("@NAME@")) == "Hello"


def test_not_found(understudy):
    understudy.use("@NAME@/greeting", "not-found")
    with pytest.raises(urllib.error.HTTPError, match="404"):
        greeting(understudy.url("@NAME@"))

"""#
  static let nodeTests = #"""
// The tests of a client against Contracts/@NAME@: run them with `node --test`.
import assert from "node:assert/strict";
import test from "node:test";
import { understudy } from "./understudy.mjs";

// Your client in place of this function; it gets its base URL from the test.
async function greeting(baseURL) {
  const response = await fetch(`${baseURL}/greeting`);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return (await response.json()).text;
}

test("the greeting", async (t) => {
  const fake = await understudy(t);
  assert.equal(await greeting(fake.url("@NAME@")), "Hello");
});

test("no greeting", async (t) => {
  const fake = await understudy(t);
  await fake.use("@NAME@/greeting", "not-found");
  await assert.rejects(greeting(fake.url("@NAME@")), /status 404/);
});

"""#
  static let pytestPlugin = #"""
"""A pytest plugin: a fake of the APIs that a folder of contracts describes, with a session per test.

    def test_gone(understudy):
        understudy.use("jokes/random", "not-found")
        client = JokeClient(understudy.url("jokes"))
        ...

A test fails if it sends an unmatched request, and the failure shows the nearest
contract. It also fails if no request gets the case that it serves.

The server is started once per test process, so that `pytest -n 4` starts four. If UNDERSTUDY_URL is
set, as by `understudy run`, the server there is used. Settings for pytest's own configuration:

    understudy_contracts = path/to/Contracts      default: the nearest folder Contracts
    understudy_arguments = --time-scale 0.1       more arguments of `understudy serve`
    understudy_proxy = true                       clients keep the URLs of the live APIs

With the last, the environment names the fake as the proxy while a test has the fixture, and files by
which clients trust it, so that what they send to https://api.example.com meets the fake.

Install it, or copy this file beside conftest.py and add `pytest_plugins = ["understudy_pytest"]`
there. It needs Python 3.9, pytest 8, and no other packages.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import shutil
import ssl
import subprocess
import tempfile
import threading
import urllib.parse
import urllib.request
import uuid
from pathlib import Path
from typing import Any, Iterator, Sequence

import pytest

__version__ = "0.1.0"
__all__ = ["Fake", "Request", "Server", "UnderstudyError"]

# For everything that takes no time; far longer than it takes.
_PATIENCE_SECONDS = 30
# The server waits for a request at most this long.
_WAIT_MAX_SECONDS = 60
# How many requests a failure shows.
_LISTED_COUNT_MAX = 20
# Where clients look for a proxy.
_PROXY_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")


class UnderstudyError(Exception):
    """What is wrong, and how to fix it."""

    def __init__(self, message: str, fix: str | None = None) -> None:
        super().__init__(f"{message}\n  fix: {fix}" if fix else message)


class Request(dict):
    """A request as the request log shows it, with the server's keys: method, path, headers, body, …"""

    def header(self, name: str) -> str | None:
        """The first value of a header, in whatever case its name is written."""
        for field in self["headers"]:
            if field["name"].lower() == name.lower():
                return field["value"]
        return None

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self["body"])


class Server:
    """A running `understudy serve`: one that this process started, or the one at UNDERSTUDY_URL."""

    def __init__(self, url: str, certificate: str | None = None) -> None:
        address = urllib.parse.urlsplit(url)
        try:
            host, port = address.hostname, address.port
        except ValueError:
            host, port = None, None
        if address.scheme not in ("http", "https") or host is None:
            raise UnderstudyError(
                f'found UNDERSTUDY_URL "{url}", expected an address such as http://127.0.0.1:8080'
            )
        self.url = url.rstrip("/")
        self._host, self._port, self._prefix = host, port, address.path.rstrip("/")
        # Without a file of its own, it trusts what SSL_CERT_FILE names, as `understudy run --tls` sets it.
        self._tls = (
            ssl.create_default_context(cafile=certificate) if address.scheme == "https" else None
        )
        self._proxy = f"http://{address.netloc}"
        # What makes programs use it as their proxy; None where that is up to who started it.
        self._environment: dict[str, str] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._guard: subprocess.Popen[bytes] | None = None
        self._errors: Any = None

    @classmethod
    def start(
        cls, contracts: Path, arguments: Sequence[str] = (), *, proxy: bool = False
    ) -> Server:
        """Starts a server of these contracts on a free port, which clients may use as their proxy."""
        binary, errors = _binary(), tempfile.TemporaryFile()
        if proxy:
            arguments = ["--proxy", "--temporary-authority", *arguments]
        try:
            # In a session of its own, since Ctrl-C is for pytest, which then ends the server.
            process = subprocess.Popen(
                [binary, "serve", "--port", "0", "--format", "json", *arguments, str(contracts)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
        except OSError as error:
            raise UnderstudyError(f"cannot run {binary}: {error.strerror}") from None
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise _ended(process, errors)
        try:
            event = json.loads(line)
            url = event["url"]
        except (ValueError, KeyError, TypeError):
            process.kill()
            process.wait()
            raise UnderstudyError(
                f"found another program at {binary}, expected understudy",
                "set UNDERSTUDY_BIN to the path of the program understudy",
            ) from None
        server = cls(url, event.get("certificate"))
        server._process, server._errors = process, errors
        server._proxy = event.get("proxy") or server._proxy
        server._environment = event.get("environment")
        # Ends the server when this process is gone, however it went: its end of the pipe is closed.
        server._guard = subprocess.Popen(
            ["sh", "-c", 'read -r _; kill "$0"', str(process.pid)],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        # The server prints a line for each request, which nobody needs.
        threading.Thread(target=process.stdout.read, daemon=True).start()
        return server

    def close(self) -> None:
        """Ends the server, if this process started it."""
        if self._process is None or self._guard is None:
            return
        self._process.terminate()
        self._process.wait()
        self._guard.kill()
        self._guard.communicate()
        self._errors.close()

    def environment(self, session: str) -> dict[str, str]:
        """The variables by which clients use the server as their proxy, in a session of their own."""
        variables = self._environment
        if variables is None:
            variables = {name: os.environ.get(name) for name in _PROXY_VARIABLES}
            if self._proxy not in variables.values():
                raise UnderstudyError(
                    f"the server at {self.url} is not the proxy of these tests",
                    "start them by understudy run, without --no-proxy and --hermetic, or unset"
                    " UNDERSTUDY_URL",
                )
        # Some clients send no name without a password, which other machines need as well.
        password = os.environ.get("UNDERSTUDY_ADMIN_TOKEN") or "-"
        user = f"{session}:{urllib.parse.quote(password, safe='')}@"
        own = self._proxy.replace("//", f"//{user}", 1)
        return {
            name: own if value == self._proxy else value
            for name, value in variables.items()
            if value
        }

    def ask(
        self, method: str, path: str, body: Any = None, patience: float = _PATIENCE_SECONDS
    ) -> Any:
        """Sends a request to the admin API; raises the error that the server reports."""
        __tracebackhide__ = True
        headers = {}
        token = os.environ.get("UNDERSTUDY_ADMIN_TOKEN")
        if token:
            headers["Understudy-Token"] = token
        # Directly, since a proxy has nothing to do with it.
        connection = (
            http.client.HTTPSConnection(
                self._host, self._port, timeout=patience, context=self._tls
            )
            if self._tls
            else http.client.HTTPConnection(self._host, self._port, timeout=patience)
        )
        try:
            data = None if body is None else json.dumps(body).encode()
            connection.request(method, self._prefix + path, body=data, headers=headers)
            response = connection.getresponse()
            status, text = response.status, response.read()
        except (OSError, http.client.HTTPException) as error:
            raise self._unreachable(error) from None
        finally:
            connection.close()
        if status == 204:
            return None
        try:
            response = json.loads(text)
            if 200 <= status < 300:
                return response
            message, fix = response["detail"], response.get("fix")
        except (ValueError, KeyError, TypeError, AttributeError):
            raise UnderstudyError(
                f"no Understudy server at {self.url}: it responded with status {status}"
            ) from None
        raise UnderstudyError(message, fix)

    def _unreachable(self, error: Exception) -> UnderstudyError:
        if self._process is None:
            return UnderstudyError(
                f"no server at {self.url}: {error}",
                "start it with understudy serve, or unset UNDERSTUDY_URL",
            )
        try:
            # A server that is ending closes its connections first.
            self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return UnderstudyError(f"the server at {self.url} did not respond: {error}")
        return _ended(self._process, self._errors)


class Fake:
    """A test's own session on the server: nobody else sees its cases, scripts and requests."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.session = f"pytest-{uuid.uuid4().hex[:16]}"
        self._checked = 0
        self._is_lost = False
        # By contract: the case that a request has to get, None where any will do.
        self._served: dict[str, str | None] = {}

    def url(self, upstream: str) -> str:
        """The address that replaces the upstream's live base URL."""
        __tracebackhide__ = True
        upstreams = self._ask("GET", "/contracts")["upstreams"]
        for known in upstreams:
            if known["name"] == upstream:
                return known["baseURL"]
        names = ", ".join(known["name"] for known in upstreams)
        raise UnderstudyError(f'no upstream "{upstream}"', f"known: {names}")

    @contextlib.contextmanager
    def as_proxy(self) -> Iterator[None]:
        """Makes this the proxy of the clients that are made, or read the environment, meanwhile."""
        variables = self._server.environment(self.session)
        before = {name: os.environ.get(name) for name in variables}
        os.environ.update(variables)
        opener = _without_default_opener()
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
            urllib.request.install_opener(opener)

    def use(self, contract: str, case: str) -> None:
        """Serves this case of the contract from now on; the test fails if no request gets it.

        Requests that another case takes because of its `when` keep that one.
        """
        __tracebackhide__ = True
        self._ask("PUT", f"{_path(contract)}/case", {"case": case})
        self._served[contract] = case

    def script(self, contract: str, script: str | Sequence[str]) -> None:
        """Serves a script of the contract by its name, or any cases in turn; the last repeats.

        The test fails if it sends no request to the contract.
        """
        __tracebackhide__ = True
        key = "script" if isinstance(script, str) else "cases"
        value = script if isinstance(script, str) else list(script)
        self._ask("POST", f"{_path(contract)}/script", {key: value})
        self._served[contract] = None

    def requests(
        self,
        contract: str | None = None,
        *,
        case: str | None = None,
        method: str | None = None,
        path: str | None = None,
        status: int | None = None,
        outcome: str | None = None,
        unmatched: bool | None = None,
        since: int | None = None,
        limit: int | None = None,
        wait: str | None = None,
        unmasked: bool | None = None,
    ) -> list[Request]:
        """The requests of this test, oldest first; all conditions must match.

        With wait, such as "5s", it waits for the first. With unmasked, secrets are as they were
        sent.
        """
        __tracebackhide__ = True
        conditions = {
            "contract": contract,
            "case": case,
            "method": method,
            "path": path,
            "status": status,
            "outcome": outcome,
            "unmatched": unmatched,
            "since": since,
            "limit": limit,
            "wait": wait,
            "unmasked": unmasked,
        }
        query = urllib.parse.urlencode(
            {
                name: str(value).lower() if isinstance(value, bool) else value
                for name, value in conditions.items()
                if value is not None
            }
        )
        patience = _PATIENCE_SECONDS + (0 if wait is None else _WAIT_MAX_SECONDS)
        response = self._ask("GET", f"/journal?{query}", patience=patience)
        return [Request(entry) for entry in response["requests"]]

    def check(self, *, has_passed: bool = False) -> str | None:
        """Why the test has to fail for what came since the last call; None if it need not.

        Only a test that has passed so far must have sent the requests that it prepared for.
        """
        if self._is_lost:
            return None
        try:
            complaints = [self._unmatched(), self._unmet() if has_passed else None]
        except UnderstudyError as error:
            self._is_lost = True
            return str(error)
        return "\n".join(filter(None, complaints)) or None

    def _unmet(self) -> str | None:
        served, self._served = self._served, {}
        lines = [
            f"no request to {contract}{_responded(case)}, expected one or more"
            for contract, case in served.items()
            if not self.requests(contract, case=case, limit=1)
        ]
        if not lines:
            return None
        received = self.requests(limit=_LISTED_COUNT_MAX)
        lines.append("received:" if received else "received nothing")
        for request in received:
            query = f"?{request['query']}" if request["query"] is not None else ""
            response = "no contract"
            if request["contract"]:
                response = f"{request['contract']}#{request['case']}"
            lines.append(f"  {request['method']} {request['path']}{query}  {response}")
        lines.append("  fix: send such a request, or serve nothing")
        return "\n".join(lines)

    def _unmatched(self) -> str | None:
        missed = self._ask("GET", f"/journal/unmatched?since={self._checked}")["requests"]
        if not missed:
            return None
        self._checked = missed[-1]["sequence"]
        noun = "request" if len(missed) == 1 else "requests"
        lines = [f"found {len(missed)} unmatched {noun}, expected none"]
        for unmatched in missed:
            lines.append(f"  {unmatched['message']}")
            for near in unmatched["nearest"]:
                lines.append(f"    nearest: {near['contract']}  {near['request']}")
                lines += [f"      {difference}" for difference in near["differences"]]
        return "\n".join(lines)

    def close(self) -> None:
        """Deletes the session."""
        if self._is_lost:
            return
        if self.session in self._server.ask("GET", "/__understudy/sessions")["sessions"]:
            self._server.ask("DELETE", f"/__understudy/sessions/{self.session}")

    def _ask(self, method: str, path: str, *rest: Any, **options: Any) -> Any:
        __tracebackhide__ = True
        path = f"/~{self.session}/__understudy{path}"
        return self._server.ask(method, path, *rest, **options)


def _without_default_opener() -> Any:
    """Lets urllib read the proxy anew, unless a program has installed an opener of its own.

    Returns what there was."""
    opener = getattr(urllib.request, "_opener", None)
    usual = {type(handler) for handler in urllib.request.build_opener().handlers}
    if opener is not None and {type(handler) for handler in opener.handlers} <= usual:
        urllib.request.install_opener(None)
    return opener


def _path(contract: str) -> str:
    # The server reports a name without a slash.
    upstream, _, name = contract.partition("/")
    return f"/contracts/{urllib.parse.quote(upstream, safe='')}/{urllib.parse.quote(name, safe='')}"


def _responded(case: str | None) -> str:
    return "" if case is None else f' served "{case}"'


def _binary() -> str:
    given = os.environ.get("UNDERSTUDY_BIN")
    found = shutil.which(given or "understudy")
    if found is not None:
        return os.path.abspath(found)
    if given:
        raise UnderstudyError(
            f'found UNDERSTUDY_BIN "{given}", expected the path of a program',
            "set it to the path of the program understudy",
        )
    raise UnderstudyError(
        "understudy is not on the PATH",
        "install it, or set UNDERSTUDY_BIN to its path",
    )


def _ended(process: subprocess.Popen[bytes], errors: Any) -> UnderstudyError:
    code = process.wait()
    errors.seek(0)
    printed = errors.read().decode(errors="replace").strip()
    reason = f"with code {code}" if code >= 0 else f"by signal {-code}"
    words = "".join(f"\n  {line}" for line in printed.splitlines())
    return UnderstudyError(f"the server was ended {reason}{words and ':' + words}")


def _contracts(config: pytest.Config) -> Path:
    given = config.getini("understudy_contracts")
    if given:
        folder = (config.inipath.parent if config.inipath else config.rootpath) / given
        if folder.exists():
            return folder
        raise UnderstudyError(
            f"no {folder}, expected a folder of contracts",
            f"change understudy_contracts in {config.inipath or 'the options of pytest'}",
        )
    for folder in (config.rootpath, *config.rootpath.parents):
        if (folder / "Contracts").is_dir():
            return folder / "Contracts"
    raise UnderstudyError(
        f"no folder Contracts in {config.rootpath} or above",
        "create one, or name another in pytest's configuration: understudy_contracts = PATH",
    )


_FAKE = pytest.StashKey[Fake]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("understudy_contracts", "The folder of contracts for understudy.")
    parser.addini("understudy_arguments", "More arguments of understudy serve.", type="args")
    parser.addini(
        "understudy_proxy",
        "Whether clients of live APIs meet the fake as their proxy.",
        type="bool",
        default=False,
    )


@pytest.fixture(scope="session")
def understudy_server(pytestconfig: pytest.Config) -> Iterator[Server]:
    """The server of this test process."""
    url = os.environ.get("UNDERSTUDY_URL")
    try:
        server = (
            Server(url)
            if url
            else Server.start(
                _contracts(pytestconfig),
                pytestconfig.getini("understudy_arguments"),
                proxy=pytestconfig.getini("understudy_proxy"),
            )
        )
    except UnderstudyError as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None
    yield server
    server.close()


@pytest.fixture
def understudy(
    request: pytest.FixtureRequest, pytestconfig: pytest.Config, understudy_server: Server
) -> Iterator[Fake]:
    """A fake for this test alone, which fails if it sends an unmatched request, or if
    no request gets a case that it serves."""
    fake = Fake(understudy_server)
    request.node.stash[_FAKE] = fake
    is_proxy = pytestconfig.getini("understudy_proxy")
    with fake.as_proxy() if is_proxy else contextlib.nullcontext():
        yield fake
    # What came after the test itself: from other fixtures, or in the background.
    complaint = fake.check()
    fake.close()
    if complaint:
        pytest.fail(complaint, pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Any:
    fake = item.stash.get(_FAKE, None)
    try:
        result = yield
    except (Exception, pytest.fail.Exception):
        # The test has failed by itself, perhaps for this reason.
        complaint = fake.check() if fake else None
        if complaint:
            item.add_report_section("call", "understudy", complaint)
        raise
    complaint = fake.check(has_passed=True) if fake else None
    if complaint:
        pytest.fail(complaint, pytrace=False)
    return result

"""#
  static let nodeHelper = #"""
// A fake of the APIs that a folder of contracts describes, for `node --test`, with a session per test.
//
//   import { understudy } from "understudy";
//
//   test("gone", async (t) => {
//     const fake = await understudy(t);
//     await fake.use("jokes/random", "not-found");
//     const client = new JokeClient(fake.url("jokes"));
//     …
//   });
//
// A test fails if it sends an unmatched request, and the failure shows the nearest
// contract. It also fails if no request gets the case that it serves.
//
// With { proxy: true }, clients keep the URLs of the live APIs: https://api.example.com is the fake.
//
// The server is started once per process, which is once per test file. If UNDERSTUDY_URL is set, as by
// `understudy run`, the server there is used. Install this, or copy the file. It needs Node 18 and no
// packages.

import { AsyncLocalStorage } from "node:async_hooks";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { request } from "node:http";
import { request as secureRequest } from "node:https";
import { createRequire } from "node:module";
import { delimiter, dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as after } from "node:timers/promises";

// For everything that takes no time; far longer than it takes.
const patienceMilliseconds = 30_000;
// The server waits for a request at most this long.
const waitMaxMilliseconds = 60_000;
// How many requests a failure shows.
const listedCountMax = 20;
// Where programs look for a proxy.
const proxyVariables = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"];

/** What is wrong, and how to fix it. */
export class UnderstudyError extends Error {
  name = "UnderstudyError";

  constructor(message, fix) {
    super(fix ? `${message}\n  fix: ${fix}` : message);
  }
}

const servers = new Map();
/** Of tests: the fake to which their clients' requests go, once it has begun. */
const tests = new AsyncLocalStorage();

/**
 * A fake for this test alone.
 *
 * @param t The context of the test, which fails if it sends an unmatched request, or
 *   if no request gets a case that it serves.
 * @param options
 *   - `contracts`: the folder of contracts. Default: the nearest folder `Contracts`.
 *   - `arguments`: more arguments of `understudy serve`, such as `["--time-scale", "0.1"]`.
 *   - `proxy`: whether clients of the live APIs meet the fake, which is their proxy while the test
 *     runs: those of this process (http, https and fetch), and those of programs that it starts.
 */
export function understudy(t, options = {}) {
  const test = {};
  // At once: what the caller awaits next belongs to the test, too.
  if (options.proxy) tests.enterWith(test);
  return begin(t, options, test);
}

async function begin(t, options, test) {
  const url = process.env.UNDERSTUDY_URL;
  const own = options.proxy ? ["--proxy", "--temporary-authority"] : [];
  const more = [...own, ...(options.arguments ?? [])];
  const key = url || JSON.stringify([options.contracts, more]);
  if (!servers.has(key)) {
    servers.set(key, url ? connect(url) : start(folder(options.contracts), more));
  }
  const server = await servers.get(key);
  const fake = new Fake(server);
  await fake.begin();
  t.after(() => fake.end());
  if (options.proxy) {
    proxies.add(fake, server);
    test.fake = fake;
  }
  return fake;
}

/** A test's own session on the server: nobody else sees its cases, scripts and requests. */
class Fake {
  session = `node-${randomUUID()}`;
  #server;
  #upstreams = [];
  /** By contract: the case that a request has to get, undefined where any will do. */
  #served = new Map();

  constructor(server) {
    this.#server = server;
  }

  /** The proxy by which the clients of this test meet the fake. */
  get proxyURL() {
    return this.#server.proxyURL(this.session);
  }

  /** The variables by which programs that this test starts do. */
  get environment() {
    return this.#server.environment(this.session);
  }

  async begin() {
    this.#upstreams = (await this.#ask("GET", "/contracts")).upstreams;
  }

  /** The address that replaces the upstream's live base URL. */
  url(upstream) {
    const known = this.#upstreams.find(({ name }) => name === upstream);
    if (known) return known.baseURL;
    const names = this.#upstreams.map(({ name }) => name).join(", ");
    throw new UnderstudyError(`no upstream "${upstream}"`, `known: ${names}`);
  }

  /**
   * Serves this case of the contract from now on; the test fails if no request gets it.
   *
   * Requests that another case takes because of its `when` keep that one.
   */
  async use(contract, name) {
    await this.#ask("PUT", `${path(contract)}/case`, { case: name });
    this.#served.set(contract, name);
  }

  /**
   * Serves a script of the contract by its name, or an array of cases in turn; the last repeats.
   *
   * The test fails if it sends no request to the contract.
   */
  async script(contract, script) {
    const body = typeof script === "string" ? { script } : { cases: script };
    await this.#ask("POST", `${path(contract)}/script`, body);
    this.#served.set(contract, undefined);
  }

  /**
   * The requests of this test, oldest first: all of them, or those to a contract.
   *
   * The options narrow them: `case`, `method`, `path`, `status`, `outcome`, `unmatched`, `since`,
   * `limit`. With `wait`, such as "5s", it waits for the first. With `unmasked`, secrets are as they
   * were sent.
   */
  async requests(contract, options = {}) {
    if (contract !== null && typeof contract === "object") {
      throw new UnderstudyError(
        "found an object, expected the name of a contract",
        "write requests(undefined, { … }) for those to all contracts",
      );
    }
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ contract, ...options })) {
      if (value !== undefined) query.set(name, value);
    }
    const patience = patienceMilliseconds + ("wait" in options ? waitMaxMilliseconds : 0);
    const { requests } = await this.#ask("GET", `/journal?${query}`, undefined, patience);
    return requests.map((entry) => new ReceivedRequest(entry));
  }

  /**
   * Deletes the session; throws if there was an unmatched request, or none that got a
   * case that was served. If the test has failed already, node ignores this.
   */
  async end() {
    proxies.delete(this);
    const { requests } = await this.#ask("GET", "/journal/unmatched");
    const complaints = requests.length > 0 ? [words(requests)] : [];
    complaints.push(...(await this.#unmet()));
    const { sessions } = await this.#server.ask("GET", "/__understudy/sessions");
    if (sessions.includes(this.session)) {
      await this.#server.ask("DELETE", `/__understudy/sessions/${this.session}`);
    }
    if (complaints.length > 0) throw new UnderstudyError(complaints.join("\n"));
  }

  /** A line for each served case that no request got, and the requests that came. */
  async #unmet() {
    const lines = [];
    for (const [contract, name] of this.#served) {
      if ((await this.requests(contract, { case: name, limit: 1 })).length > 0) continue;
      const responded = name === undefined ? "" : ` served "${name}"`;
      lines.push(`no request to ${contract}${responded}, expected one or more`);
    }
    if (lines.length === 0) return lines;
    const received = await this.requests(undefined, { limit: listedCountMax });
    lines.push(received.length > 0 ? "received:" : "received nothing");
    for (const { method, path, query, contract, case: name } of received) {
      const target = query === null ? path : `${path}?${query}`;
      lines.push(`  ${method} ${target}  ${contract ? `${contract}#${name}` : "no contract"}`);
    }
    return [...lines, "  fix: send such a request, or serve nothing"];
  }

  #ask(method, path, body, patience) {
    return this.#server.ask(method, `/~${this.session}/__understudy${path}`, body, patience);
  }
}

/** The fakes that are the proxy of clients now, and what that takes. */
const proxies = {
  /** With the server of each. */
  fakes: new Map(),
  /** By name: variables as they were without any. */
  before: {},

  add(fake, server) {
    server.useProxy(() => this.ofCaller());
    this.fakes.set(fake, server);
    this.setVariables();
  },

  delete(fake) {
    if (this.fakes.delete(fake)) this.setVariables();
  },

  /** The proxy of whoever sends a request now. */
  ofCaller() {
    const [only] = this.fakes.size === 1 ? this.fakes.keys() : [];
    const fake = tests.getStore()?.fake ?? only;
    if (fake || this.fakes.size === 0) return fake?.proxyURL;
    throw new UnderstudyError(
      "no test is known to send this request, and several have a proxy now",
      "send it from within a test, or let the tests run one after the other",
    );
  },

  /** Programs that are started meet the session of the only test, or where there are more, none. */
  setVariables() {
    setVariables(this.before);
    this.before = {};
    const [[fake, server] = []] = this.fakes;
    if (fake === undefined) return;
    const variables = this.fakes.size === 1 ? fake.environment : server.environment();
    for (const name of Object.keys(variables)) this.before[name] = process.env[name];
    setVariables(variables);
  },
};

/** A request as the request log shows it, with the server's keys: method, path, headers, body, … */
class ReceivedRequest {
  constructor(entry) {
    Object.assign(this, entry);
  }

  /** The first value of a header, in whatever case its name is written. */
  header(name) {
    const wanted = name.toLowerCase();
    return this.headers.find((field) => field.name.toLowerCase() === wanted)?.value;
  }

  /** The body as JSON. */
  json() {
    return JSON.parse(this.body);
  }
}

function setVariables(variables) {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

function words(unmatched) {
  const noun = unmatched.length === 1 ? "request" : "requests";
  const lines = [`found ${unmatched.length} unmatched ${noun}, expected none`];
  for (const { message, nearest } of unmatched) {
    lines.push(`  ${message}`);
    for (const { contract, request, differences } of nearest) {
      lines.push(`    nearest: ${contract}  ${request}`);
      lines.push(...differences.map((difference) => `      ${difference}`));
    }
  }
  return lines.join("\n");
}

/** The server reports a name without a slash. */
function path(contract) {
  const [upstream, ...name] = contract.split("/");
  return `/contracts/${encodeURIComponent(upstream)}/${encodeURIComponent(name.join("/"))}`;
}

/** A running `understudy serve`: one that this process started, or the one at UNDERSTUDY_URL. */
class Server {
  #url;
  #whyUnreachable;
  #send;
  // Without one, it trusts what NODE_EXTRA_CA_CERTS names, as `understudy run --tls` sets it.
  #certificate;
  // The addresses and variables of its proxy; without them, those of `understudy run`.
  #proxy;
  #environment;

  constructor(url, whyUnreachable, { certificate, proxy, environment } = {}) {
    this.#url = url;
    this.#proxy = proxy ?? `http://${new URL(url).host}`;
    this.#environment = environment;
    this.#whyUnreachable = whyUnreachable;
    this.#send = new URL(url).protocol === "https:" ? secureRequest : request;
    this.#certificate = certificate ? readFileSync(certificate) : undefined;
  }

  /** The proxy by which clients meet a session. */
  proxyURL(session) {
    if (!session) return this.#proxy;
    // Some clients send no name without a password, which other machines need as well.
    const password = encodeURIComponent(process.env.UNDERSTUDY_ADMIN_TOKEN || "-");
    return this.#proxy.replace("//", `//${session}:${password}@`);
  }

  /** The variables by which programs meet a session. */
  environment(session) {
    const variables = this.#environment
      ? Object.entries(this.#environment)
      : proxyVariables.map((name) => [name, process.env[name]]).filter(([, value]) => value);
    const host = new URL(this.#proxy).host;
    // It has a session already where another test runs beside this one.
    const ours = (value) => value === this.#proxy || value.endsWith(`@${host}`);
    if (!variables.some(([, value]) => ours(value))) {
      throw new UnderstudyError(
        `the server at ${this.#url} is not the proxy of these tests`,
        "start them by understudy run, without --no-proxy and --hermetic, or unset UNDERSTUDY_URL",
      );
    }
    const proxy = this.proxyURL(session);
    return Object.fromEntries(
      variables.map(([name, value]) => [name, ours(value) ? proxy : value]),
    );
  }

  /** Makes the clients of this process use its proxy, with the URL that the function returns. */
  useProxy(proxy) {
    this.environment();
    const path = (this.#environment ?? process.env).UNDERSTUDY_NODE_PROXY;
    createRequire(import.meta.url)(path).use({ proxy, certificate: this.#certificate });
  }

  /** Sends a request to the admin API; throws the error that the server reports. */
  async ask(method, path, body, patience = patienceMilliseconds) {
    const { status, text } = await this.#exchange(method, path, body, patience);
    if (status === 204) return undefined;
    let response;
    try {
      response = JSON.parse(text);
    } catch {}
    if (response && status >= 200 && status < 300) return response;
    if (response?.detail) throw new UnderstudyError(response.detail, response.fix);
    throw new UnderstudyError(
      `no Understudy server at ${this.#url}: it responded with status ${status}`,
    );
  }

  async #exchange(method, path, body, patience) {
    const headers = {};
    if (process.env.UNDERSTUDY_ADMIN_TOKEN) {
      headers["Understudy-Token"] = process.env.UNDERSTUDY_ADMIN_TOKEN;
    }
    const signal = AbortSignal.timeout(patience);
    const options = { method, headers, agent: false, signal, ca: this.#certificate };
    try {
      const sent = this.#send(this.#url + path, options);
      sent.end(body && JSON.stringify(body));
      const [response] = await once(sent, "response");
      let text = "";
      for await (const piece of response.setEncoding("utf8")) text += piece;
      return { status: response.statusCode, text };
    } catch (error) {
      throw await this.#whyUnreachable(error);
    }
  }
}

function connect(url) {
  if (!isAddress(url)) {
    throw new UnderstudyError(
      `found UNDERSTUDY_URL "${url}", expected an address such as http://127.0.0.1:8080`,
    );
  }
  return new Server(
    url.replace(/\/+$/, ""),
    (error) =>
      new UnderstudyError(
        `no server at ${url}: ${error.message}`,
        "start it with understudy serve, or unset UNDERSTUDY_URL",
      ),
  );
}

function isAddress(url) {
  try {
    return ["http:", "https:"].includes(new URL(url).protocol);
  } catch {
    return false;
  }
}

/** Starts a server of these contracts on a free port. It ends with this process. */
async function start(contracts, more = []) {
  const binary = program();
  const options = ["serve", "--port", "0", "--format", "json", ...more, contracts];
  // In a process group of its own, since Ctrl-C is for node.
  const child = spawn(binary, options, { stdio: ["ignore", "pipe", "pipe"], detached: true });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (errors += text));
  const ended = once(child, "close").then(
    ([code, signal]) => {
      const lines = errors.trim().split("\n").filter(Boolean);
      const reason = signal ? `by ${signal}` : `with code ${code}`;
      const printed = lines.length ? `:${lines.map((line) => `\n  ${line}`).join("")}` : "";
      return new UnderstudyError(`the server was ended ${reason}${printed}`);
    },
    (error) => new UnderstudyError(`cannot run ${binary}: ${error.message}`),
  );
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, "line"), ended]);
  if (first instanceof UnderstudyError) throw first;
  let started = {};
  try {
    started = JSON.parse(first[0]) ?? {};
  } catch {}
  const { url } = started;
  if (!url) {
    child.kill("SIGKILL");
    throw new UnderstudyError(
      `found another program at ${binary}, expected understudy`,
      "set UNDERSTUDY_BIN to the path of the program understudy",
    );
  }
  // Ends the server when this process is gone, however it went: its end of the pipe is closed.
  const guard = spawn("sh", ["-c", 'read -r _; kill "$0"', `${child.pid}`], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  // None of them keeps this process running.
  for (const one of [child, child.stdout, child.stderr, guard, guard.stdin]) one.unref();
  const whyUnreachable = async (error) => {
    const silent = new UnderstudyError(`the server at ${url} did not respond: ${error.message}`);
    // A server that is ending closes its connections first.
    return await Promise.race([ended, after(1_000, silent)]);
  };
  return new Server(url, whyUnreachable, started);
}

function folder(given) {
  if (given !== undefined) {
    if (existsSync(given)) return given;
    throw new UnderstudyError(
      `no ${resolve(given)}, expected a folder of contracts`,
      "change the option contracts of understudy(t, { contracts })",
    );
  }
  for (let place = process.cwd(); ; place = dirname(place)) {
    const found = join(place, "Contracts");
    if (existsSync(found) && statSync(found).isDirectory()) return found;
    if (place === dirname(place)) break;
  }
  throw new UnderstudyError(
    `no folder Contracts in ${process.cwd()} or above`,
    "create one, or name another: understudy(t, { contracts: PATH })",
  );
}

function program() {
  const given = process.env.UNDERSTUDY_BIN;
  if (given) {
    if (isProgram(given)) return resolve(given);
    throw new UnderstudyError(
      `found UNDERSTUDY_BIN "${given}", expected the path of a program`,
      "set it to the path of the program understudy",
    );
  }
  const places = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const found = places.map((place) => join(place, "understudy")).find(isProgram);
  if (found) return resolve(found);
  throw new UnderstudyError(
    "understudy is not on the PATH",
    "install it, or set UNDERSTUDY_BIN to its path",
  );
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

"""#
  static let consumersSchema = #"""
{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Consumers",
  "description": "Who uses the upstreams, and the errors each can report. A service's consumer is named service.operation, such as repos.list; a command may have any name.",
  "type": "object",
  "properties": {
    "$schema": { "description": "The path of this schema, for editors.", "type": "string" }
  },
  "patternProperties": {
    "^[A-Za-z0-9._-]+$": { "$ref": "#/$defs/consumer" }
  },
  "additionalProperties": false,
  "$defs": {
    "consumer": {
      "description": "One operation of a service, as the suite calls it, or a command.",
      "type": "object",
      "required": ["upstreams"],
      "oneOf": [{ "required": ["errors"] }, { "required": ["command"] }],
      "dependentRequired": { "sources": ["command"] },
      "dependentSchemas": { "command": { "properties": { "arguments": false, "in": false } } },
      "properties": {
        "summary": { "description": "What the consumer returns, in one line.", "type": "string", "minLength": 1 },
        "upstreams": {
          "description": "The upstreams it uses: names of folders beside this file.",
          "type": "array",
          "items": { "type": "string", "pattern": "^[a-z0-9][a-z0-9-]*$" },
          "minItems": 1,
          "uniqueItems": true,
          "examples": [["github"], ["dog-ceo", "dog-ceo-images"]]
        },
        "in": {
          "description": "The name of the executable that contains it. Other executables skip it.",
          "type": "string",
          "pattern": "^[A-Za-z0-9._+-]+$",
          "examples": ["showcase"]
        },
        "command": {
          "description": "A command in any language, as it is run: a program and its arguments. It runs without a shell, in the folder that the contracts folder is in.",
          "type": "array",
          "items": { "type": "string" },
          "minItems": 1,
          "examples": [["python3", "client.py"]]
        },
        "sources": {
          "description": "The files and folders of a command, from the folder it runs in, besides those that its words name. When one of them changes, understudy learns again what the command reads.",
          "type": "array",
          "items": { "type": "string", "not": { "pattern": "(^|/)\\.{0,2}(/|$)" } },
          "uniqueItems": true,
          "examples": [["src", "package-lock.json"]]
        },
        "environment": {
          "description": "The environment variables that it gets besides PATH, HOME and the like, if they are set. Credentials are never passed on.",
          "type": "array",
          "items": { "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" },
          "uniqueItems": true,
          "examples": [["JAVA_HOME"]]
        },
        "arguments": {
          "description": "The name of each argument and its JSON type.",
          "type": "object",
          "additionalProperties": { "$ref": "#/$defs/type" },
          "examples": [{ "org": "string" }]
        },
        "errors": {
          "description": "The name of each error and the JSON type of its payload; null for none.",
          "type": "object",
          "propertyNames": { "pattern": "^[A-Za-z][A-Za-z0-9]*$" },
          "additionalProperties": { "anyOf": [{ "$ref": "#/$defs/type" }, { "type": "null" }] },
          "examples": [{ "connectivity": null, "invalidData": null, "unexpectedStatus": "integer" }]
        }
      },
      "additionalProperties": false,
      "examples": [
        {
          "summary": "The repositories of an organisation",
          "upstreams": ["github"],
          "arguments": { "org": "string" },
          "errors": { "connectivity": null, "unexpectedStatus": "integer" }
        }
      ]
    },
    "type": {
      "description": "The JSON type of the value.",
      "enum": ["string", "integer", "number", "boolean", "array", "object", "any"]
    }
  }
}

"""#
  static let upstreamSchema = #"""
{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Upstream",
  "description": "Where the live API is, and how to behave towards it.",
  "type": "object",
  "properties": {
    "format": { "description": "The version of the contract format. Default: 1.", "const": 1 },
    "$schema": { "description": "The path of this schema, for editors.", "type": "string" },
    "summary": { "description": "What the upstream is, in one line.", "type": "string", "minLength": 1 },
    "baseURL": {
      "description": "The base URL of the live API. The fake keeps its path: with https://example.com/api/v1, /dogs is /api/v1/dogs. Without a base URL, the upstream has no live API.",
      "type": "string",
      "pattern": "^https?://[^/?#\\s@]+(/[^?#\\s]*)?$",
      "examples": ["https://api.github.com", "https://example.com/api/v1"]
    },
    "hosts": {
      "description": "Values of Host that lead to this upstream. Default: the host and port of baseURL, and the host on any port unless another upstream has the same.",
      "type": "array",
      "items": { "type": "string", "pattern": "^[A-Za-z0-9.-]+(:[0-9]+)?$" },
      "minItems": 1,
      "uniqueItems": true
    },
    "callbacks": {
      "description": "Hosts off this machine to which callbacks of cases may be sent, with or without a port. Callbacks to this machine are always sent, those to link-local addresses never.",
      "type": "array",
      "items": { "type": "string", "pattern": "^[A-Za-z0-9.-]+(:[0-9]+)?$" },
      "minItems": 1,
      "uniqueItems": true,
      "examples": [["hooks.example.com"]]
    },
    "headers": {
      "description": "Headers sent with every request to the live API. For credentials, use secrets.",
      "type": "object",
      "propertyNames": {
        "pattern": "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
        "not": { "enum": ["Authorization", "Proxy-Authorization", "Cookie", "X-Api-Key"] }
      },
      "additionalProperties": { "type": "string", "pattern": "^[^\\r\\n\\u0000]*$" },
      "examples": [{ "Accept": "application/json" }]
    },
    "secrets": {
      "description": "Headers whose values come from environment variables named UNDERSTUDY_…. They are sent only to the origin of baseURL.",
      "type": "object",
      "propertyNames": { "pattern": "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" },
      "additionalProperties": {
        "oneOf": [
          { "$ref": "#/$defs/secret" },
          {
            "type": "object",
            "required": ["value"],
            "properties": {
              "value": { "$ref": "#/$defs/secret" },
              "optional": {
                "description": "Whether requests can be sent without it.",
                "type": "boolean"
              }
            },
            "additionalProperties": false
          }
        ]
      },
      "examples": [{ "Authorization": "Bearer {UNDERSTUDY_GITHUB_TOKEN}" }]
    },
    "rate": {
      "description": "The rate limit for requests to the live API.",
      "type": "object",
      "required": ["requests", "per"],
      "properties": {
        "requests": { "description": "The number of requests per period.", "type": "integer", "minimum": 1 },
        "per": { "description": "The period.", "$ref": "#/$defs/duration" },
        "concurrency": { "description": "The number of requests at the same time.", "type": "integer", "minimum": 1 }
      },
      "additionalProperties": false,
      "examples": [{ "requests": 60, "per": "1h", "concurrency": 2 }]
    },
    "failedPercent": {
      "description": "From which percentage of requests to the live API that get no response, or a server error, understudy drift warns. Default: 50.",
      "type": "integer",
      "minimum": 1,
      "maximum": 100
    },
    "owner": { "description": "Whom to ask about the upstream.", "type": "string", "minLength": 1 },
    "retired": {
      "description": "Why the live API is no longer checked. Reports show it, and it is never a failure.",
      "type": "string",
      "minLength": 1
    },
    "state": {
      "description": "The state that a session begins with. Other values than strings are kept as JSON.",
      "type": "object",
      "minProperties": 1,
      "propertyNames": { "not": { "pattern": "\\.\\*$" } },
      "additionalProperties": { "not": { "type": "null" } },
      "examples": [{ "thing.7": { "id": 7 } }]
    },
    "scenarios": {
      "description": "Scripts over several endpoints, by name.",
      "type": "object",
      "propertyNames": { "pattern": "^[a-z0-9][a-z0-9-]*$" },
      "additionalProperties": { "$ref": "#/$defs/scenario" }
    },
    "waive": {
      "description": "Lint rules that the contracts of this upstream may break, each with the reason. Only warnings can be waived.",
      "type": "object",
      "propertyNames": {
        "pattern": "^[a-z0-9][a-z0-9-]*$",
        "examples": ["no-404-case", "no-malformed-case", "no-slow-case", "no-broken-case", "no-empty-case"]
      },
      "additionalProperties": { "description": "The reason.", "type": "string", "minLength": 1 },
      "examples": [{ "no-slow-case": "everything is served from files" }]
    }
  },
  "additionalProperties": false,
  "$defs": {
    "scenario": {
      "description": "What endpoints do from the same moment: a state to start from, a script or a mode for each.",
      "type": "object",
      "properties": {
        "summary": { "description": "What happens, in one line.", "type": "string", "minLength": 1 },
        "state": {
          "description": "The state set when the scenario starts.",
          "type": "object",
          "minProperties": 1,
          "propertyNames": { "not": { "pattern": "\\.\\*$" } },
          "additionalProperties": { "not": { "type": "null" } },
          "examples": [{ "account": "new" }]
        },
        "scripts": {
          "description": "The cases each endpoint serves in order; the last repeats.",
          "type": "object",
          "minProperties": 1,
          "propertyNames": { "pattern": "^[a-z0-9][a-z0-9-]*$" },
          "additionalProperties": {
            "type": "array",
            "items": { "type": "string", "pattern": "^[a-z0-9][a-z0-9-]*$" },
            "minItems": 1
          },
          "examples": [{ "list-restaurants": ["not-found", "ok"] }]
        },
        "mode": {
          "description": "The mode of the whole upstream.",
          "$ref": "#/$defs/mode"
        },
        "modes": {
          "description": "The modes of single endpoints, which precede that of the upstream.",
          "type": "object",
          "minProperties": 1,
          "propertyNames": { "pattern": "^[a-z0-9][a-z0-9-]*$" },
          "additionalProperties": { "$ref": "#/$defs/mode" },
          "examples": [{ "list-restaurants": "off" }]
        }
      },
      "additionalProperties": false,
      "anyOf": [
        { "required": ["state"] },
        { "required": ["scripts"] },
        { "required": ["mode"] },
        { "required": ["modes"] }
      ]
    },
    "mode": {
      "description": "Where responses come from: contracts (fake), the live API, or nowhere (off).",
      "enum": ["fake", "live", "off"]
    },
    "secret": {
      "description": "A value that contains the name of an environment variable in braces: UNDERSTUDY_, the name of the upstream, and a word.",
      "type": "string",
      "pattern": "^[^{}]*\\{UNDERSTUDY_[A-Z0-9]+_[A-Z0-9_]+\\}[^{}]*$",
      "examples": ["Bearer {UNDERSTUDY_GITHUB_TOKEN}"]
    },
    "duration": {
      "description": "A number with a unit: ms, s, m or h.",
      "type": "string",
      "pattern": "^[0-9]+(\\.[0-9]+)?(ms|s|m|h)$",
      "examples": ["250ms", "2s", "1.5s", "5m", "1h"]
    }
  }
}

"""#
}
