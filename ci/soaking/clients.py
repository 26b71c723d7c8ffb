"""Clients for `ci/soak`, well-behaved and hostile, and the final check of the server."""

import itertools
import json
import os
import random
import re
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time

executable, seconds = sys.argv[1], float(sys.argv[2])
folder = tempfile.TemporaryDirectory(prefix="soak-")
server = subprocess.Popen([executable, folder.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
port, stub_port = map(int, server.stdout.readline().split())
proc = f"/proc/{server.pid}"
deadline = time.monotonic() + seconds
counts = {}
wrong = []
lock = threading.Lock()

TARGETS = ["/joke/random_joke", "/joke/jokes/1", "/dog-ceo/api/breeds/list/all"]


def connect(timeout=20, to=port):
    client = socket.create_connection(("127.0.0.1", to), timeout=timeout)
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return client


def request(target, lines=""):
    return f"GET {target} HTTP/1.1\r\nHost: x\r\n{lines}\r\n".encode()


def read_answer(client, buffer):
    """One answer with a length, without its date; and the bytes after it."""
    while b"\r\n\r\n" not in buffer:
        piece = client.recv(65536)
        if not piece:
            raise EOFError
        buffer += piece
    head, rest = buffer.split(b"\r\n\r\n", 1)
    length = int(re.search(rb"Content-Length: (\d+)", head).group(1))
    while len(rest) < length:
        piece = client.recv(65536)
        if not piece:
            raise EOFError
        rest += piece
    return re.sub(rb"Date: [^\r]*", b"Date", head) + rest[:length], rest[length:]


def expected():
    answers = {}
    for target in TARGETS:
        with connect() as client:
            client.sendall(request(target))
            answers[target], _ = read_answer(client, b"")
            assert answers[target].startswith(b"HTTP/1.1 200 OK\r\n"), answers[target]
    return answers


def ask_all(client, targets):
    """Sends pipelined requests, and compares each answer byte for byte."""
    client.sendall(b"".join(request(target) for target in targets))
    buffer = b""
    for target in targets:
        answer, buffer = read_answer(client, buffer)
        if answer != ANSWERS[target]:
            with lock:
                wrong.append((target, answer[:400]))


def well_behaved(dice):
    """Pipelined requests over one connection, with each answer compared byte for byte."""
    with connect() as client:
        for _ in range(dice.randint(1, 50)):
            targets = [dice.choice(TARGETS) for _ in range(dice.choice([1, 1, 1, 16]))]
            lines = dice.choice(["", "", "Prefer: example=slow\r\n"])
            ask_all(client, targets)
            if lines:
                client.sendall(request(TARGETS[0], lines))
                answer, _ = read_answer(client, b"")
                if answer.split(b"\r\n\r\n")[0][:15] != b"HTTP/1.1 200 OK":
                    with lock:
                        wrong.append(("slow", answer[:400]))


NUMBERS = itertools.count()


def ask(client, method, target, body=None):
    """The status and the body of an answer to the admin API, or to anybody."""
    text = "" if body is None else json.dumps(body)
    host = f"127.0.0.1:{client.getpeername()[1]}"
    head = f"{method} {target} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(text)}"
    client.sendall(f"{head}\r\n\r\n{text}".encode())
    buffer = b""
    while b"\r\n\r\n" not in buffer:
        piece = client.recv(65536)
        if not piece:
            raise EOFError
        buffer += piece
    head, rest = buffer.split(b"\r\n\r\n", 1)
    length = re.search(rb"Content-Length: (\d+)", head)
    while length and len(rest) < int(length.group(1)):
        piece = client.recv(65536)
        if not piece:
            raise EOFError
        rest += piece
    return int(head.split()[1]), rest


def check(client, wanted, method, target, body=None):
    """Asks, and notes an answer of another status or text."""
    status, text = ask(client, method, target, body)
    if (status, text) != wanted and status != wanted:
        with lock:
            wrong.append((method, target, wanted, status, text[:400]))
    return text


def stubs(dice):
    """Stubs of WireMock: made, changed, saved, removed, and played in between."""
    number = next(NUMBERS)
    # Few paths, so that what the server knows by them stays small.
    path = f"/stub-{threading.get_ident()}"
    file = f"body-{threading.get_ident()}.txt"
    stub = {"request": {"url": path, "method": "GET"}, "persistent": dice.random() < 0.5}
    with connect(to=stub_port) as client:
        stub["response"] = {"body": f"first {number}"}
        made = json.loads(check(client, 201, "POST", "/__admin/mappings", stub))
        here = f"/__admin/mappings/{made['id']}"
        check(client, (200, f"first {number}".encode()), "GET", path)
        check(client, 200, "PUT", f"/__admin/files/{file}", {"second": number})
        stub["response"] = {"bodyFileName": file, "delayDistribution": DELAY}
        check(client, 200, "PUT", here, stub)
        check(client, (200, json.dumps({"second": number}).encode()), "GET", path)
        check(client, 422, "POST", "/__admin/mappings", {"request": {"urll": path}})
        if dice.random() < 0.1:
            check(client, 200, "POST", "/__admin/mappings/save")
        if dice.random() < 0.1:
            check(client, 200, "POST", "/__admin/requests/count", {"url": path})
        check(client, 200, "DELETE", here)
        check(client, 404, "GET", path)


DELAY = {"type": "lognormal", "median": 10, "sigma": 0.1}


def contracts(dice):
    """Contracts of our own admin API, for all or in a session: made, saved and removed."""
    number = next(NUMBERS)
    name = f"made-{threading.get_ident()}-{number}"
    session = dice.choice(["", "", f"/~soak-{threading.get_ident()}"])
    contract = {
        "request": {"method": "GET", "path": f"/{name}"},
        "cases": {"ok": {"status": 200, "body": {"number": number}}},
    }
    here = f"{session}/__understudy/contracts/joke/{name}"
    with connect() as client:
        check(client, 201, "PUT", here, contract)
        check(client, (200, b'{"number":%d}' % number), "GET", f"{session}/joke/{name}")
        contract["cases"]["ok"]["status"] = 202
        check(client, 200, "PUT", here, contract)
        check(client, 202, "GET", f"{session}/joke/{name}")
        if dice.random() < 0.5:
            check(client, 200, "POST", f"{here}/save")
            os.remove(f"{folder.name}/{name}.json")
        check(client, 204, "DELETE", here)
        check(client, 404, "GET", f"{session}/joke/{name}")
        if session and dice.random() < 0.1:
            check(client, 204, "DELETE", f"/__understudy/sessions/{session[2:]}")


def vanishing(dice):
    client = connect()
    case = dice.choice(["ok", "slow", "stalled", "malformed", "reset"])
    text = request(TARGETS[0], f"Prefer: example={case}\r\n") * dice.randint(1, 20)
    client.sendall(text[: dice.randint(1, len(text))])
    if dice.random() < 0.5:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def stalling(dice):
    with connect(timeout=dice.uniform(0.1, 12)) as client:
        text = request(TARGETS[0], "Content-Length: 10\r\n" if dice.random() < 0.5 else "")
        client.sendall(text[: dice.randint(0, len(text))])
        while client.recv(65536):
            pass


def flooding(dice):
    """Never reads, and sends as much as the server accepts."""
    with connect(timeout=dice.uniform(0.1, 3)) as client:
        text = request("/dog-ceo/api/breeds/list/all") * 200
        for _ in range(200):
            client.sendall(text)


def garbage(dice):
    with connect(timeout=2) as client:
        start = dice.choice([b"", b"GET / HTTP/1.1\r\n", b"\x16\x03\x01", request("/x")[:-2]])
        client.sendall(start + dice.randbytes(dice.randint(1, 200_000)))
        while client.recv(65536):
            pass


def trust(version=None):
    context = ssl.create_default_context(cafile=f"{folder.name}/authority.pem")
    if version:
        context.minimum_version = context.maximum_version = version
    return context


VERSIONS = [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3]


def secure(dice):
    """The same requests over TLS, some on resumed connections."""
    context, session = trust(dice.choice(VERSIONS)), None
    for _ in range(dice.randint(1, 4)):
        with context.wrap_socket(connect(), server_hostname="localhost", session=session) as client:
            for _ in range(dice.randint(1, 20)):
                targets = [dice.choice(TARGETS) for _ in range(dice.choice([1, 1, 16]))]
                ask_all(client, targets)
            session = client.session


def damaged(dice):
    """A client of TLS that changes, repeats, leaves out or cuts what it sends, or stops to send."""
    arrived, leaving = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = trust(dice.choice(VERSIONS)).wrap_bio(arrived, leaving, server_hostname="localhost")
    bad_step = dice.randint(0, 6)
    with connect(timeout=dice.choice([0.5, 4])) as client:
        for step in range(12):
            try:
                if step < 2:
                    tls.do_handshake()
                else:
                    tls.write(request(dice.choice(TARGETS)) * dice.choice([1, 1, 200]))
            except ssl.SSLError:
                pass
            data = bytearray(leaving.read())
            if step >= bad_step and data:
                place = dice.randrange(len(data))
                match dice.randint(0, 5):
                    case 0: data[place] ^= 1 << dice.randint(0, 7)
                    case 1: data *= 2
                    case 2: data = b""
                    case 3: data = data[:place]
                    case 4: data[place:place] = dice.randbytes(dice.randint(1, 70_000))
                    case 5: return
            client.sendall(data)
            if step >= bad_step and dice.random() < 0.3:
                client.shutdown(socket.SHUT_WR)
            piece = client.recv(65536)
            if not piece:
                return
            arrived.write(piece)


def run(kind, seed):
    dice = random.Random(seed)
    while time.monotonic() < deadline:
        try:
            kind(dice)
            outcome = "done"
        except (OSError, EOFError) as error:
            outcome = type(error).__name__
            if kind in (well_behaved, secure, stubs, contracts):
                with lock:
                    wrong.append((kind.__name__, repr(error)))
        with lock:
            key = f"{kind.__name__} {outcome}"
            counts[key] = counts.get(key, 0) + 1


def resident():
    with open(f"{proc}/status") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1))


def descriptors():
    """Counts socket descriptors: a sanitizer has other descriptors of its own."""
    return sum(is_socket(f"{proc}/fd/{name}") for name in os.listdir(f"{proc}/fd"))


def is_socket(path):
    try:
        return os.readlink(path).startswith("socket:")
    except OSError:
        return False


def settle():
    """Waits until the server has released every client, or for longer than that may take."""
    end = time.monotonic() + 20
    while descriptors() > idle_descriptors and time.monotonic() < end:
        time.sleep(0.1)


idle_descriptors = descriptors()
ANSWERS = expected()
kinds = [well_behaved] * 6 + [secure] * 3 + [stubs] * 3 + [contracts] * 2
kinds += [vanishing] * 3 + [stalling] * 20 + [flooding] * 3 + [garbage] * 3 + [damaged] * 6
threads = [threading.Thread(target=run, args=(kind, seed)) for seed, kind in enumerate(kinds)]
for thread in threads:
    thread.start()
# All retained memory is allocated after a third of the time; from then on nothing may grow.
time.sleep(seconds / 3)
early = resident()
for thread in threads:
    thread.join()
settle()
late = resident()
left = descriptors() - idle_descriptors

print("\n".join(f"{count:8} {key}" for key, count in sorted(counts.items())))
print(f"memory {early} KB after a third, {late} KB at the end; {left} descriptors left")
faults = [f"wrong answer: {answer}" for answer in wrong[:5]]
if server.poll() is not None:
    faults.append(f"the server ended with {server.returncode}")
if left > 0:
    faults.append(f"{left} descriptors are left")
if late > early * 1.25 + 8192:
    faults.append(f"memory grew from {early} to {late} KB")
if server.poll() is None:
    print(server.communicate(timeout=20)[0].strip())
    if server.returncode != 0:
        faults.append(f"the server ended with {server.returncode}")
for fault in faults:
    print(f"soak: {fault}", file=sys.stderr)
sys.exit(1 if faults else 0)
