"""Prints a joke. Ends with 3 if there is none, with 4 if the response is not a joke."""
import http.client
import json
import os
import sys
import urllib.error
import urllib.request

base = os.environ.get("UNDERSTUDY_URL_JOKE", "http://127.0.0.1:8090/api")
try:
    with urllib.request.urlopen(f"{base}/random_joke", timeout=5) as response:
        body = response.read()
except urllib.error.HTTPError:
    print("no joke")
    sys.exit(3)
except (OSError, http.client.HTTPException) as error:
    print(error, file=sys.stderr)
    sys.exit(3)
try:
    joke = json.loads(body)
    print("\n".join([joke["setup"], joke["punchline"]]))
except (ValueError, KeyError, TypeError):
    print("not a joke", file=sys.stderr)
    sys.exit(4)
