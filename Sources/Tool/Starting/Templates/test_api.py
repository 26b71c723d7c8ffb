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
