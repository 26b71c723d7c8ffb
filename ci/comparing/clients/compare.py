"""Runs clients of WireMock against WireMock and against our server, and compares what both result in."""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import servers
import transcript
from transcript import Difference

PARTS = ("python", "java", "http")
HERE = Path(__file__).parent
SECONDS_MAX = 600

# Differences that are as they should be: part, step and place as patterns, and why that is so.
EXPLAINED: list[tuple[str, str, str, str]] = [
    ("python|java", r"matcher .*(Xml|XPath|xPath).*", ".*", "XML is not compared"),
    ("java", r"matcher (before|after|equalToDateTime|beforeNow|afterNow|isNow), cookie", ".*", "a cookie is part of a header"),
    (".*", r".*(custom matcher|post serve actions|with actions).*", ".*", "extensions are Java"),
    ("java", r"matcher (scheme https|port of another).*", ".*", "the fake has one scheme and one port"),
    ("java", r"(matcher method|verify) TRACE.*", ".*", "a contract has no method TRACE"),
    ("java", r"client: with a header", ".*", "a Host that is not local is refused"),
    ("python|java", r"(response proxy|proxy all).*", ".*", "a case does not pass requests on"),
    ("java", r"recording: (start|stop) with transformers", ".*", "transformers are Java"),
    ("http", r"POST /recordings/(start|stop): a target that is a number that is wrong", ".*",
     "a target that is no URL is refused at once"),
    ("http", "recording bytes in files: stopped", ".*/bodyFileName", "bytes of no known type go to a .bin"),
    ("http|java", r"((recording|snapshot): (a proxy|asked the proxy|asked|proxied|by the client|persistent.*)"
     r"|POST /recordings/snapshot(: (ids|full))?)", ".*", "a case does not pass requests on"),
    ("python", r"method .*: another", ".*", "2.35.1 keeps two stubs of one id, we replace the first"),
    ("python|http", r"(saving: the file is gone too|save: files after DELETE /mappings)", ".*",
     "files that no client had written are kept"),
    ("http", "POST /mappings/save: what is persistent", "/0/1",
     "a file's stub that no client changed is not written again"),
    ("http", "PUT /files: out of the folder", ".*", "nothing is written out of the folder; 404 in either"),
    (".*", ".*", "/reason", "the status decides the reason phrase"),
    (".*", r".*matcher method (QUERY|ANY|HEAD).*", ".*", "a contract has one of seven methods"),
    (".*", r".*near.?miss.*", r".*/nearMisses.*|/gave.*", "near misses are ordered otherwise"),
    ("http", "the middle one edited: all", ".*", "DELETE /mappings/unmatched, which 2.35.1 has not, has removed two"),
    ("java", r"(load: what is there|saving: what is left|stubs: edit what is missing|stubs: remove by its id)", ".*",
     "the order of files, and what happens to ids that are not there, is left open"),
]

# Stubs that WireMock takes, though none of them can be played as it says.
REFUSED = re.compile(
    r"POST /mappings: (a JSONPath that cannot be read|two URLs|two bodies|a state without a scenario"
    r"|a method (of its own|in small letters))(?P<total>, how many there are)?")


def explain(part: str, difference: Difference, theirs: Any, ours: Any) -> str:
    """Why a difference is as it should be, or nothing."""
    if status(theirs) == 500 and (status(ours) in (400, 404, 422) or "past the end" in difference.step):
        return "WireMock answers 500 with an exception, we say what is wrong with the request"
    left, right = difference.theirs, difference.ours
    if status(theirs) == 500 and status(ours) == 200:
        return "WireMock answers 500 with an exception, we answer"
    if difference.place.endswith("/type") and left == "" and right == "application/json":
        return "newer versions of WireMock answer {} where 2.35.1 answers nothing"
    if difference.place.endswith("/body") and left == "" and right == {"json": {}}:
        return "newer versions of WireMock answer {} where 2.35.1 answers nothing"
    if difference.place.endswith("/distance") and is_share(left) and is_share(right):
        return "distances of near misses are counted otherwise"
    if theirs == {"raised": "JSONDecodeError"}:
        return "2.35.1 answers nothing, which this client cannot read; newer versions answer {}"
    if isinstance(left, str) and isinstance(right, str) and left.lower() == right.lower() and "charset" in right:
        return "Jetty writes charsets in capitals"
    if difference.place.endswith("/title") and "Scenario my-scenario" in str(left):
        return "WireMock names my-scenario, whichever scenario it was"
    if difference.place.endswith("/pointer") and isinstance(right, str):
        if left == transcript.MISSING or right.startswith(str(left)):
            return "our pointer says more exactly where"
    if difference.place.endswith("/detail") and left == transcript.MISSING:
        return "we say what to do"
    refused = REFUSED.fullmatch(difference.step)
    if refused and (status(ours) == 422 or refused["total"] and difference.place.endswith("/total")):
        return "what a contract cannot play is refused"
    if difference.step == "PUT state: a name with a space" and status(ours) == 200:
        return "WireMock 2.35.1 does not decode names in paths"
    for parts, step, place, reason in EXPLAINED:
        patterns = ((parts, part), (step, difference.step), (place, difference.place))
        if all(re.fullmatch(pattern, text) for pattern, text in patterns):
            return reason
    return ""


def status(outcome: Any) -> int:
    if isinstance(outcome, dict) and "gave" in outcome:
        return status(outcome["gave"])
    return outcome.get("status", 0) if isinstance(outcome, dict) else 0


def is_share(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1


def fail(message: str) -> None:
    print(f"ci/compare wiremock-clients: {message}", file=sys.stderr)
    sys.exit(2)


class Comparison:
    def __init__(self, given: argparse.Namespace) -> None:
        self.given = given
        self.work = Path(given.work)
        self.keep = Path(given.keep) if given.keep else self.work / "transcripts"
        self.keep.mkdir(parents=True, exist_ok=True)
        self.theirs = self.program("wiremock", f"java -Xmx256m -jar {shlex.quote(given.jar)}")
        self.ours = self.theirs if given.twice else self.program("understudy", shlex.join(given.command))
        self.upstream = servers.Upstream()

    def program(self, name: str, command: str) -> str:
        """A program that takes WireMock's options, and also those of Java before them. It prints to a file:
        the Python client never reads what its server prints, and WireMock stops when that is too much."""
        path, log = self.work / f"start-{name}", self.work / f"{name}.log"
        log.unlink(missing_ok=True)
        path.write_text(
            f"#!/bin/sh\ncd {shlex.quote(os.getcwd())} || exit\nif [ \"$1\" = -jar ]; then shift 2; fi\n"
            f"exec {command} \"$@\" >>{shlex.quote(str(log))} 2>&1\n")
        path.chmod(0o755)
        return str(path)

    def run(self, part: str, side: str, program: str) -> list[transcript.Step]:
        folder, out = self.work / f"{part}-{side}", self.work / f"{part}-{side}.jsonl"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        out.unlink(missing_ok=True)
        words: list[str] = [sys.executable, "-B", str(HERE / f"{part}_client.py")]
        if part == "java":
            words = ["java", "-Xmx256m", "-cp", self.given.jar, str(HERE / "JavaClient.java")]
        words += [str(out), program, str(folder), str(self.upstream.server_address[1])]
        environment = {key: value for key, value in os.environ.items() if not key.startswith("UNDERSTUDY_")}
        environment["NO_PROXY"] = "localhost,127.0.0.1"
        try:
            if part == "java":
                with servers.Server(program, folder / "root", "--local-response-templating") as server:
                    ended = self.start([*words, str(server.port), str(HERE / "JavaClient.java")], environment)
            else:
                ended = self.start(words, environment)
        except subprocess.TimeoutExpired:
            self.broke(part, side, f"did not end within {SECONDS_MAX} s")
        except RuntimeError as error:
            self.broke(part, side, str(error))
        else:
            if ended.returncode:
                self.broke(part, side, f"ended with {ended.returncode}:\n{(ended.stdout + ended.stderr)[-3000:]}")
        steps = transcript.read(out, {}) if out.exists() else []
        (self.keep / f"{part}-{side}.txt").write_text(transcript.written(steps))
        if (bytes_sent := Path(f"{out}.raw")).exists():
            shutil.copy(bytes_sent, self.keep / f"{part}-{side}.raw.txt")
        return steps

    def start(self, words: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words, cwd=self.work, env=environment, capture_output=True, text=True, timeout=SECONDS_MAX)

    def broke(self, part: str, side: str, message: str) -> None:
        # Ours may break: the steps that are missing then are differences.
        if side == "wiremock":
            fail(f"the part {part} on WireMock {message}")
        print(f"ci/compare wiremock-clients: the part {part} {message}", file=sys.stderr)

    def compare(self, part: str) -> int:
        theirs = self.run(part, "wiremock", self.theirs)
        ours = self.run(part, "twice" if self.given.twice else "understudy", self.ours)
        found = transcript.compare(
            theirs, ours, lambda difference, left, right: explain(part, difference, left, right), self.given.twice)
        unexplained = [each for each in found if not each.reason]
        steps = {each.step for each in found}
        equal = sum(step.name not in steps for step in theirs)
        print(f"{part}: {len(theirs)} steps, {equal} equal, {len({each.step for each in unexplained})} differ")
        # A step counts for the first of its reasons.
        reasons = Counter({each.step: each.reason for each in reversed(found) if each.reason}.values())
        for reason, count in reasons.most_common():
            print(f"  {count} × {reason}")
        shown = [each for each in unexplained if not each.is_missing]
        if gone := [each.step for each in unexplained if each.is_missing]:
            print(f"  {len(gone)} steps are missing, from: {gone[0]}")
        step = None
        for each in shown[:self.given.limit]:
            if each.step != step:
                print(f"  {each.step}")
            step = each.step
            print(f"    {each.place or '/'}")
            print(f"      theirs {short(each.theirs)}\n      ours   {short(each.ours)}")
        if len(shown) > self.given.limit:
            print(f"  and {len(shown) - self.given.limit} more; the option --limit says how many are shown")
        return 1 if unexplained else 0


def short(value: Any) -> str:
    text = value if value == transcript.MISSING else repr(value)
    return text if len(text) <= 300 else text[:300] + "…"


def main() -> None:
    parser = argparse.ArgumentParser(prog="ci/compare wiremock-clients")
    parser.add_argument("--jar", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--work", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--twice", action="store_true", help="run WireMock on both sides")
    parser.add_argument("--keep", metavar="DIR", help="write the transcripts to this folder")
    parser.add_argument("--limit", type=int, default=200, help="how many differences of a part are shown")
    parser.add_argument("--part", action="append", choices=PARTS, help="run only this part; repeatable")
    parser.add_argument("command", nargs="*", help="the command of our server")
    given = parser.parse_args()
    comparison = Comparison(given)
    results = [comparison.compare(part) for part in given.part or PARTS]
    sys.exit(max(results))


main()
