"""measure UNDERSTUDY: the time from a key to its effect in the dashboard, in a headless Chromium,
at rest and while the server responds with 2,000 requests a second, and what memory the page takes."""

import json
import socket
import subprocess
import sys
import threading
import time
import urllib.request

RATE, BATCH, KEYS, GOAL_MS = 2_000, 100, 40, 100
OPTIONS = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,800",
           "--enable-precise-memory-info"]
# The time from the key to the picture after the text has changed.
WATCH = """
  window.times = [];
  let pressedAt = 0;
  addEventListener("keydown", () => pressedAt = performance.now(), true);
  new MutationObserver(() => requestAnimationFrame(() => times.push(performance.now() - pressedAt)))
    .observe(document.querySelector(".selected .force .name"),
      { childList: true, characterData: true, subtree: true });
"""


def start(words, pattern):
    """A program and the number in the first line it prints that has the pattern."""
    program = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    for line in program.stdout:
        if pattern in line:
            threading.Thread(target=program.stdout.read, daemon=True).start()
            return program, int("".join(c for c in line.split(pattern)[1] if c.isdigit()))
    sys.exit(f"{words[0]} ended")


def ask(url, method="GET", body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
    return json.load(urllib.request.urlopen(request))["value"]


def flood(port, is_over):
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setblocking(True)
    threading.Thread(target=lambda: all(iter(lambda: connection.recv(1 << 20), b"")), daemon=True).start()
    requests = b"GET /joke/random_joke HTTP/1.1\r\nHost: x\r\nAccept: */*\r\n\r\n" * BATCH
    began, count = time.monotonic(), 0
    while not is_over.is_set():
        connection.sendall(requests)
        count += BATCH
        time.sleep(max(0, began + count / RATE - time.monotonic()))


def run(page, script):
    return ask(f"{page}/execute/sync", "POST", {"script": script, "args": []})


def memory(page):
    """What is in use, and the rows shown."""
    ask(f"{page}/goog/cdp/execute", "POST", {"cmd": "HeapProfiler.collectGarbage", "params": {}})
    return run(page, "return performance.memory.usedJSHeapSize") / 1e6, run(
        page, "return document.querySelectorAll('#rows tr').length")


def measure(page):
    run(page, "times.length = 0")
    for number in range(KEYS):
        key = "21"[number % 2]
        keys = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        ask(f"{page}/actions", "POST", {"actions": [{"type": "key", "id": "k", "actions": keys}]})
        time.sleep(0.25)
    times = sorted(run(page, "return times"))
    return times[len(times) // 2], times[len(times) * 9 // 10]


server, port = start([sys.argv[1], "serve", "--quiet", "--port", "0", "Contracts"], "127.0.0.1:")
driver, driver_port = start(["chromedriver", "--port=0"], "successfully on port ")
root = f"http://127.0.0.1:{driver_port}/session"
wanted = {"alwaysMatch": {"goog:chromeOptions": {"args": OPTIONS}}}
page = f"{root}/{ask(root, 'POST', {'capabilities': wanted})['sessionId']}"
try:
    url = f"http://127.0.0.1:{port}/__understudy/#contract=joke%2Frandom-joke"
    ask(f"{page}/url", "POST", {"url": url})
    while not run(page, "return !!document.querySelector('.selected')"):
        time.sleep(0.05)
    run(page, WATCH)
    is_over = threading.Event()
    for name in ("at rest", f"{RATE:,} requests a second"):
        if name != "at rest":
            threading.Thread(target=flood, args=(port, is_over), daemon=True).start()
            time.sleep(2)
        half, most = measure(page)
        result = "ok" if half <= GOAL_MS else "ABOVE"
        print(f"key to effect, {name + ':':<26} {half:4.0f} ms in the middle, {most:4.0f} ms for nine in ten"
              f"  {result}: goal {GOAL_MS}")
        megabytes, rows = memory(page)
        print(f"memory of the page, {rows} rows: {megabytes:.1f} MB")
    is_over.set()
finally:
    ask(page, "DELETE")
    driver.kill()
    server.kill()
