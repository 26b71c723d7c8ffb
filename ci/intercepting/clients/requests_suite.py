import requests
from steps import check

session = requests.Session()


def ask(method, url, document):
    response = session.request(method, url, json=document, timeout=20)
    return response.status_code, response.text


check(ask)
