"""The steps of the suites in Python. Each brings ask(method, url, document), which follows redirects and
gives the status and the decoded body."""

import json

API = "https://api.shop.test/v1"


def check(ask):
    def expect(method, url, expected_status, expected, document=None):
        status, body = ask(method, url, document)
        found = json.loads(body) if body else None
        assert (status, found) == (expected_status, expected), f"{method} {url}: {status} {body[:300]}"

    def item(number, name, amount, tags):
        return {"id": number, "name": name, "price": {"amount": amount, "currency": "EUR"}, "tags": tags}

    kettle, lamp = item(16, "kettle", "39.90", ["kitchen"]), item(17, "lamp", "24.00", ["light", "desk"])
    rug = item(18, "rug", "120.50", [])
    expect("GET", f"{API}/items?limit=1", 200, {"items": [kettle], "total": 3})
    expect("GET", f"{API}/items?limit=3", 200, {"items": [kettle, lamp, rug], "total": 3})
    expect("GET", f"{API}/items/17", 200, lamp)
    expect("GET", f"{API}/items/99", 404, {"error": "no such item"})
    expect("POST", f"{API}/items", 201, {"id": 19, "name": "clock"}, {"name": "clock"})
    expect("GET", f"{API}/newest", 200, rug)
    expect("GET", f"{API}/report", 200, {"sold": [7] * 200})
    expect("DELETE", f"{API}/items/17", 204, None)
    expect("GET", "http://status.shop.test/up", 200, {"up": True})
