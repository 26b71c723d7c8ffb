"""Runs programs under callgrind and counts the instructions of each of their functions."""

import collections
import pathlib
import re
import select
import socket
import subprocess
import sys
import tempfile

# What differs between runs or processors and is not ours: seeds of hashes, the variants of the C library's
# functions, and how many threads want memory at the same time.
ENVIRONMENT = {
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX512F,-AVX512VL,-AVX512BW,-ERMS,-FSRM,-RTM,-BMI2,-EVEX:"
    "glibc.cpu.x86_data_cache_size=0x8000:glibc.cpu.x86_shared_cache_size=0x100000:"
    "glibc.cpu.x86_non_temporal_threshold=0xc0000:glibc.cpu.x86_rep_movsb_threshold=0x800:"
    "glibc.malloc.arena_max=1",
    "HOME": "/nonexistent",
    "LANG": "C.UTF-8",
    "PATH": "/usr/bin:/bin",
    "SWIFT_DETERMINISTIC_HASHING": "1",
    "TZ": "UTC",
}
# For commands that start other programs of ours: valgrind knows no pidfd, and runs in the program's place.
PORTABLE = {"UNDERSTUDY_PORTABLE": "1"}
TIMEOUT_SECONDS = 170


class Failed(Exception):
    """A program that did not do what it was started for."""


class Counts(collections.Counter):
    """Instructions by the name of the function that executed them."""

    @property
    def total(self):
        return sum(self.values())

    def per(self, count):
        """For one of that many things."""
        return Counts({name: value / count for name, value in self.items()})

    def since(self, earlier):
        """What another run executed less; negative where it executed more."""
        return Counts({name: self[name] - earlier[name] for name in self.keys() | earlier.keys()})


def read(folder):
    """The counts of all processes that wrote into a folder."""
    counts = Counts()
    for path in sorted(pathlib.Path(folder).iterdir()):
        names, name, skips = {}, "", False
        with path.open() as lines:
            for line in lines:
                # A guard waits for the end of the others, and may be killed before it writes anything.
                if line.startswith("cmd:") and line.endswith(" guard\n"):
                    break
                first = line[:1]
                if first.isdigit() or first in "+-*":
                    if not skips:
                        counts[name] += int(line.split()[1])
                    skips = False
                elif line.startswith("fn="):
                    number, _, written = line[3:].strip().partition(" ")
                    if written:
                        names[number] = written
                    name = re.sub(r"'\d+$", "", names[number])
                elif line.startswith("cfn="):
                    number, _, written = line[4:].strip().partition(" ")
                    if written:
                        names[number] = written
                elif line.startswith("calls="):
                    skips = True
    return counts


def command(folder):
    # The last thing that a worker does before it is killed is flushing what it has printed.
    return [
        "valgrind", "--tool=callgrind", "--quiet", "--trace-children=yes", "--dump-line=no",
        "--trace-children-skip=*/python*,*/node", "--dump-before=*flushPrinted*", f"--callgrind-out-file={folder}/%p",
    ]


def run(words, cwd, environment=None):
    """The counts of a command, the processes it starts included."""
    return run_and_read(words, cwd, environment)[0]


def run_and_read(words, cwd, environment=None):
    """The same, and what it printed."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            command(folder) + words, cwd=cwd, env=ENVIRONMENT | (environment or {}), stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
        if done.returncode != 0:
            raise Failed(f"{' '.join(words)} exited with {done.returncode}:\n{done.stdout}{done.stderr}")
        return read(folder), done.stdout


class Server:
    """A server of ours, under callgrind or another program, or by itself."""

    def __init__(self, words, before=()):
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [*before, *words], env=ENVIRONMENT, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=self.errors, text=True)
        line = self.first_line()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        if not found:
            self.process.kill()
            raise Failed(f"{' '.join(words)} printed {line!r}\n{self.said()}")
        self.port = int(found[1])
        self.socket = socket.create_connection(("127.0.0.1", self.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def first_line(self):
        ready, _, _ = select.select([self.process.stdout], [], [], TIMEOUT_SECONDS)
        return self.process.stdout.readline() if ready else ""

    def ask(self, request, count=1, status=None):
        """Sends a request this often, one after another, and checks the status of each response."""
        request = request.replace(b"Host: 127.0.0.1\r", b"Host: 127.0.0.1:%d\r" % self.port, 1)
        for _ in range(count):
            self.socket.sendall(request)
            head, _, body = self._receive(b"\r\n\r\n").partition(b"\r\n\r\n")
            found = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
            length = int(found[1]) if found else 0
            while len(body) < length:
                body += self._more()
            if status and not head.startswith(b"HTTP/1.1 %d" % status):
                raise Failed(f"{request!r}\ngot {head!r}")

    def _receive(self, end):
        data = b""
        while end not in data:
            data += self._more()
        return data

    def _more(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise Failed("the server closed the connection")
        return data

    def stop(self):
        # By its API: strace forwards no signal.
        self.ask(b"POST /__understudy/shutdown HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        self.socket.close()
        self.process.communicate(timeout=TIMEOUT_SECONDS)
        if self.process.returncode != 0:
            raise Failed(f"the server exited with {self.process.returncode}:\n{self.said()}")

    def said(self):
        """The end of what it wrote to its standard error."""
        self.errors.seek(0)
        return self.errors.read()[-2000:]


def serve(words, drive):
    """The counts of a server while a function drives it, its start and end included."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(words, before=command(folder))
        try:
            drive(server)
        finally:
            if server.process.poll() is None:
                server.stop()
        return read(folder)


def serve_in_turn(words, drives):
    """The counts of one server during each of several drives, by their names: what the first function does is not
    counted, what the second does is."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(words, before=command(folder))

        def counted():
            """The counts since the last call."""
            subprocess.run(
                ["callgrind_control", "--dump", str(server.process.pid)], check=True, capture_output=True,
                timeout=TIMEOUT_SECONDS)
            counts = read(folder)
            for path in pathlib.Path(folder).iterdir():
                path.unlink()
            return counts

        counts = {}
        try:
            for name, (prepare, drive) in drives.items():
                prepare(server)
                counted()
                drive(server)
                counts[name] = counted()
        finally:
            if server.process.poll() is None:
                server.stop()
        return counts


def peak_memory(pid):
    """In bytes, of a running process."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) * 1024


# A new process has the peak of the one that starts it until it becomes another program: a small one starts it.
PEAK_OF_COMMAND = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdin=0, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
"""


def peak_memory_of(words):
    """In bytes, of a command from its start to its end."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", PEAK_OF_COMMAND, *words], env=ENVIRONMENT, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=True)
    code, peak = map(int, done.stdout.split())
    if code != 0:
        raise Failed(f"{' '.join(words)} exited with {code}")
    return peak
