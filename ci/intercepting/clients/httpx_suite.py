import httpx
from steps import check

client = httpx.Client(follow_redirects=True, timeout=20)


def ask(method, url, document):
    response = client.request(method, url, json=document)
    return response.status_code, response.text


check(ask)
