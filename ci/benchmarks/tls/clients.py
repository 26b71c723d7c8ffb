"""Clients of TLS for `measure`: full handshakes, resumed ones, requests on open connections, or idle ones.

    clients.py PORT CERTIFICATE PATH full|resumed|requests|idle COUNT

`idle` prints a line once all are connected, and leaves when its input ends.
"""

import socket
import ssl
import sys

port, certificate, path, mode, count = int(sys.argv[1]), *sys.argv[2:5], int(sys.argv[5])
context = ssl.create_default_context(cafile=certificate)
request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


def connect(session=None):
    raw = socket.create_connection(("127.0.0.1", port))
    raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return context.wrap_socket(raw, server_hostname="localhost", session=session)


def ask(client):
    """The response comes in one piece: it is short."""
    client.sendall(request)
    received = client.recv(65536)
    while b"\r\n\r\n" not in received:
        received += client.recv(65536)
    if not received.startswith(b"HTTP/1.1 200"):
        sys.exit(f"clients: {received[:200]!r}")


if mode == "requests":
    with connect() as client:
        for _ in range(count):
            ask(client)
elif mode == "idle":
    clients = [connect() for _ in range(count)]
    for client in clients:
        ask(client)
    print("connected", flush=True)
    sys.stdin.read()
else:
    session = None
    for number in range(count):
        with connect(session) as client:
            if mode == "resumed" and number and not client.session_reused:
                sys.exit("clients: the server did not resume")
            ask(client)
            if mode == "resumed":
                session = client.session
