import gzip
import json
import urllib.error
import urllib.request
from steps import check


def ask(method, url, document):
    headers = {"Accept-Encoding": "gzip"}
    if document is not None:
        headers["Content-Type"] = "application/json"
    data = None if document is None else json.dumps(document).encode()
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        response = urllib.request.urlopen(request, timeout=20)
    except urllib.error.HTTPError as error:
        response = error
    body = response.read()
    if response.headers["Content-Encoding"] == "gzip":
        body = gzip.decompress(body)
    return response.status, body.decode()


check(ask)
