"""What a test shows that fails by the plugin: each runs pytest on a test of its own."""

import os
from pathlib import Path

import pytest

CONTRACTS = Path(__file__).parent / "Contracts"

CLIENT = """
import os, urllib.request

def ask(understudy, path):
    try:
        urllib.request.urlopen(understudy.url("jokes") + path)
    except OSError:
        pass

def test_it(understudy):
"""


@pytest.fixture
def outcome(pytester, monkeypatch):
    """Runs a test with this body, and gives the lines that pytest prints."""
    monkeypatch.delenv("UNDERSTUDY_URL", raising=False)

    def run(
        *body, ini=f"understudy_contracts = {CONTRACTS}", passed=0, failed=0, errors=0, skipped=0
    ):
        pytester.makeini(f"[pytest]\n{ini}\n")
        pytester.makepyfile(CLIENT + "".join(f"    {line}\n" for line in body))
        result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
        result.assert_outcomes(passed=passed, failed=failed, errors=errors, skipped=skipped)
        return result.stdout

    return run


MISS = [
    "found 1 unmatched request, expected none",
    "  no contract for GET /jokes/randm",
    "    nearest: jokes/random  GET /random_joke",
    '      path segment 1: found "randm", expected "random_joke"',
]


def test_a_miss(outcome):
    outcome('ask(understudy, "/randm")', failed=1).fnmatch_lines(MISS, consecutive=True)


@pytest.mark.parametrize(
    "body, message",
    [
        (
            ['understudy.use("jokes/random", "slow")'],
            [
                'no request to jokes/random served "slow", expected one or more',
                "received nothing",
                "  fix: send such a request, or serve nothing",
            ],
        ),
        (
            [
                'understudy.use("jokes/random", "slow")',
                'understudy.use("jokes/random", "ok")',
                'ask(understudy, "/random_joke?a=1")',
                'understudy.use("jokes/random", "not-found")',
            ],
            [
                'no request to jokes/random served "not-found", expected one or more',
                "received:",
                "  GET /jokes/random_joke?a=1  jokes/random#ok",
            ],
        ),
        (
            ['understudy.script("jokes/random", ["reset", "ok"])'],
            ["no request to jokes/random, expected one or more", "received nothing"],
        ),
        (
            ['understudy.use("jokes/random", "slow")', 'ask(understudy, "/randm")'],
            [
                *MISS,
                'no request to jokes/random served "slow", expected one or more',
                "received:",
                "  GET /jokes/randm  no contract",
            ],
        ),
    ],
)
def test_a_case_that_no_request_gets(outcome, body, message):
    outcome(*body, failed=1).fnmatch_lines(message, consecutive=True)


def test_a_case_of_a_test_that_ends_early(outcome):
    serve = 'understudy.use("jokes/random", "slow")'
    outcome(serve, "assert 1 == 2", failed=1).no_fnmatch_line("*no request*")
    skip = ["import pytest", 'pytest.skip("not today")']
    outcome(serve, *skip, skipped=1).no_fnmatch_line("*no request*")


def test_a_miss_of_a_test_that_fails_anyway(outcome):
    output = outcome('ask(understudy, "/randm")', "assert 1 == 2", failed=1)
    output.fnmatch_lines(["*assert 1 == 2"])
    output.fnmatch_lines(["*Captured understudy call*", *MISS], consecutive=True)


@pytest.mark.parametrize(
    "body, message, fix",
    [
        (
            'understudy.use("jokes/randm", "ok")',
            'no contract "jokes/randm"',
            'did you mean "jokes/random"?',
        ),
        (
            'understudy.use("jokes/random", "not-fond")',
            'no case "jokes/random#not-fond"',
            'did you mean "jokes/random#not-found"?',
        ),
        ('understudy.use("jokes", "ok")', 'no contract "jokes/"', 'did you mean "jokes/random"?'),
        ('understudy.url("joke")', 'no upstream "joke"', "known: jokes"),
        (
            'assert understudy.requests("jokes/randm") == []',
            'no contract "jokes/randm"',
            'did you mean "jokes/random"?',
        ),
        (
            'assert understudy.requests("jokes/random", case="not-fond") == []',
            'no case "jokes/random#not-fond"',
            'did you mean "jokes/random#not-found"?',
        ),
        (
            'understudy.requests(wait="5")',
            'found wait "5", expected a time from 0s to 60s, such as 500ms or 5s',
            "write a number and a unit: 5s",
        ),
    ],
)
def test_a_wrong_call(outcome, body, message, fix):
    output = outcome(body, failed=1)
    output.fnmatch_lines([f"*UnderstudyError: {message}", f"*  fix: {fix}"], consecutive=True)
    # The traceback ends in the test.
    output.no_fnmatch_line("*understudy_pytest.py*")


@pytest.mark.parametrize(
    "program, message, fix",
    [
        (
            "",
            "understudy is not on the PATH",
            "install it, or set UNDERSTUDY_BIN to its path",
        ),
        (
            "./nothing",
            'found UNDERSTUDY_BIN "./nothing", expected the path of a program',
            "set it to the path of the program understudy",
        ),
        (
            "echo",
            "found another program at */echo, expected understudy",
            "set UNDERSTUDY_BIN to the path of the program understudy",
        ),
    ],
)
def test_a_wrong_program(outcome, monkeypatch, program, message, fix):
    monkeypatch.setenv("UNDERSTUDY_BIN", program)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    output = outcome("pass", errors=1)
    output.fnmatch_lines([message, f"  fix: {fix}"], consecutive=True)
    output.no_fnmatch_line("*During handling of the above exception*")


def test_no_contracts(outcome):
    outcome("pass", ini="", errors=1).fnmatch_lines(
        ["no folder Contracts in * or above", "  fix: create one, or name another in *"],
        consecutive=True,
    )


def test_no_contracts_where_they_should_be(outcome):
    outcome("pass", ini="understudy_contracts = none", errors=1).fnmatch_lines(
        [
            "no */none, expected a folder of contracts",
            "  fix: change understudy_contracts in */tox.ini",
        ],
        consecutive=True,
    )


def test_broken_contracts(outcome, pytester):
    folder = pytester.mkdir("Broken") / "jokes"
    folder.mkdir()
    (folder / "upstream.json").write_text("{")
    outcome("pass", ini="understudy_contracts = Broken", errors=1).fnmatch_lines(
        ["the server was ended with code 2:", "  *jokes/upstream.json:1:*"]
    )


def test_a_server_that_dies(outcome):
    kill = 'import signal; os.kill(understudy._server._process.pid, signal.SIGKILL)'
    outcome(kill, failed=1).fnmatch_lines(["the server was ended by signal 9"])


def test_a_running_server(outcome, monkeypatch, understudy_server):
    monkeypatch.setenv("UNDERSTUDY_URL", understudy_server.url)
    monkeypatch.setenv("UNDERSTUDY_BIN", "none")
    outcome(f'assert understudy.url("jokes").startswith("{understudy_server.url}/~")', passed=1)


@pytest.mark.parametrize("url", ["127.0.0.1:8080", "ftp://127.0.0.1:8080", "http://x:y"])
def test_an_address_that_is_none(outcome, monkeypatch, url):
    monkeypatch.setenv("UNDERSTUDY_URL", url)
    outcome("pass", errors=1).fnmatch_lines(
        [f'found UNDERSTUDY_URL "{url}", expected an address such as http://127.0.0.1:8080']
    )


def test_no_server_there(outcome, monkeypatch):
    # Nobody listens on the port of discarded data, which no user may.
    monkeypatch.setenv("UNDERSTUDY_URL", "http://127.0.0.1:9")
    outcome('understudy.url("jokes")', failed=1).fnmatch_lines(
        ["*no server at http://127.0.0.1:9: *", "*start it with understudy serve, or unset *"]
    )


def test_no_server_is_left(outcome, pytester):
    outcome('open("pid", "w").write(str(understudy._server._process.pid))', passed=1)
    with pytest.raises(ProcessLookupError):
        os.kill(int((pytester.path / "pid").read_text()), 0)
