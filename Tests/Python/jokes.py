"""A client of the joke API, as any Python program might have one."""

import json
import urllib.error
import urllib.request


class JokeError(Exception):
    pass


def random_joke(base_url, token="none"):
    request = urllib.request.Request(
        f"{base_url}/random_joke", headers={"Authorization": f"Bearer {token}"}
    )
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return json.load(response)["punchline"]
    except urllib.error.HTTPError as error:
        raise JokeError(f"unexpected status {error.code}") from error
    except (OSError, ValueError) as error:
        raise JokeError("no joke") from error
