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
