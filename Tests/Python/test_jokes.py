import jokes
import pytest


def test_no_joke(understudy):
    understudy.use("jokes/random", "not-found")
    with pytest.raises(jokes.JokeError, match="unexpected status 404"):
        jokes.random_joke(understudy.url("jokes"))


def test_a_reset(understudy):
    understudy.script("jokes/random", ["reset", "ok"])
    with pytest.raises(jokes.JokeError):
        jokes.random_joke(understudy.url("jokes"))
    assert jokes.random_joke(understudy.url("jokes")) == "Because."
    assert len(understudy.requests("jokes/random")) == 2
