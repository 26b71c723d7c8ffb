"""Tests that run side by side share nothing, however many processes and servers there are."""

import threading

import jokes
import pytest


@pytest.mark.parametrize("number", range(40))
def test_own_cases(understudy, number):
    case = ["ok", "not-found", "cut-short", "reset"][number % 4]
    understudy.use("jokes/random", case)
    for _ in range(3):
        if case == "ok":
            assert jokes.random_joke(understudy.url("jokes")) == "Because."
        else:
            with pytest.raises(jokes.JokeError):
                jokes.random_joke(understudy.url("jokes"))
    assert [request["case"] for request in understudy.requests()] == [case] * 3


def test_in_the_background(understudy):
    url = understudy.url("jokes")
    threading.Thread(target=jokes.random_joke, args=(url, "abc")).start()
    [request] = understudy.requests("jokes/random", wait="5s", unmasked=True)
    assert request.header("authorization") == "Bearer abc"


def test_masked_unless_asked_for(understudy):
    jokes.random_joke(understudy.url("jokes"), token="abc")
    assert understudy.requests()[0].header("Authorization") == "[redacted]"


def test_nothing_comes(understudy):
    assert understudy.requests(wait="1ms") == []
