"""Clients that keep the URL of the live API: `pytest -o understudy_proxy=true`."""

import os
import subprocess
import sys
import urllib.request

import jokes
import pytest

LIVE = "https://official-joke-api.appspot.com"


@pytest.fixture(autouse=True)
def proxied(pytestconfig):
    if not pytestconfig.getini("understudy_proxy"):
        pytest.skip("needs understudy_proxy")


def by_requests(url):
    return pytest.importorskip("requests").get(url, timeout=10).json()["punchline"]


def by_httpx(url):
    return pytest.importorskip("httpx").get(url).json()["punchline"]


def by_curl(url):
    run = subprocess.run(["curl", "-sS", url], capture_output=True, text=True)
    return "Because." if '"punchline":"Because."' in run.stdout else run.stderr


def by_child(url):
    script = "import json, sys, urllib.request as r; print(json.load(r.urlopen(sys.argv[1]))['punchline'])"
    run = subprocess.run([sys.executable, "-c", script, url], capture_output=True, text=True)
    return run.stdout.strip() or run.stderr


@pytest.mark.parametrize("ask", [by_requests, by_httpx, by_curl, by_child])
def test_clients(understudy, ask):
    assert ask(f"{LIVE}/random_joke") == "Because."
    assert [request["case"] for request in understudy.requests()] == ["ok"]


@pytest.mark.parametrize("number", range(12))
def test_own_cases(understudy, number):
    case = ["ok", "not-found", "cut-short"][number % 3]
    understudy.use("jokes/random", case)
    if case == "ok":
        assert jokes.random_joke(LIVE) == "Because."
    else:
        with pytest.raises(jokes.JokeError):
            jokes.random_joke(LIVE)
    assert [request["case"] for request in understudy.requests()] == [case]


def test_both_addresses(understudy):
    assert jokes.random_joke(LIVE) == jokes.random_joke(understudy.url("jokes"))
    assert len(understudy.requests("jokes/random")) == 2


def test_other_hosts_are_refused(understudy):
    with pytest.raises(OSError, match="502"):
        urllib.request.urlopen("https://other.example/")


def test_only_while_the_fixture_lasts(pytester, monkeypatch):
    monkeypatch.delenv("UNDERSTUDY_URL", raising=False)
    for name in ("HTTPS_PROXY", "SSL_CERT_FILE"):
        monkeypatch.setenv(name, "before")
    contracts = os.path.join(os.path.dirname(__file__), "Contracts")
    pytester.makeini(f"[pytest]\nunderstudy_contracts = {contracts}\nunderstudy_proxy = true\n")
    pytester.makepyfile(
        """
        import os, urllib.request

        NAMES = ("HTTPS_PROXY", "SSL_CERT_FILE", "NO_PROXY")

        def values():
            return [os.environ.get(name) for name in NAMES]

        def test_without():
            assert values()[:2] == ["before", "before"]
            urllib.request.install_opener(urllib.request.build_opener())

        def test_with(understudy):
            proxy, certificates, direct = values()
            assert proxy.startswith(f"http://{understudy.session}:")
            assert os.path.exists(certificates)
            assert direct == "localhost,127.0.0.1,::1"
            assert getattr(urllib.request, "_opener") is None

        def test_without_again():
            assert values() == ["before", "before", None]
            assert getattr(urllib.request, "_opener") is not None
        """
    )
    pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=3)


def test_a_server_that_is_no_proxy(pytester, monkeypatch, understudy_server):
    monkeypatch.setenv("UNDERSTUDY_URL", understudy_server.url)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    pytester.makeini("[pytest]\nunderstudy_proxy = true\n")
    pytester.makepyfile("def test_it(understudy): pass")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        [
            f"*the server at {understudy_server.url} is not the proxy of these tests",
            "*fix: start them by understudy run, without --no-proxy and --hermetic, or unset UNDERSTUDY_URL",
        ]
    )
