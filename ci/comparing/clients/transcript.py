"""The transcript of a client: what each of its steps results in, without what varies from run to run."""

import base64
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Ids that steps give begin like this, and stay as they are.
GIVEN = "00000000-"
UUID = re.compile(r"(?!00000000-)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
DATE = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)")
# Which version of a library the client uses is no part of its behaviour.
AGENT = re.compile(r"\b(python-requests|Java-http-client|Apache-HttpClient|python_wiremock)/[\w.]+( \(Java/[\w.]+\))?")
MISS = re.compile(r"Request was not matched|No response could be served as there are no stub mappings")
# Members whose numbers and dates are never twice the same.
MOVING = {"loggedDate", "loggedDateString", "processTime", "responseSendTime", "serveTime", "totalTime"}
# Members that have no order.
UNORDERED = {"possibleStates"}
# What Jetty writes about an exception, for browsers or for programs.
PAGE = "<a page>"
# Headers that say how an answer is framed, not what it says.
FRAMING = {
    "connection", "content-encoding", "content-length", "date", "keep-alive", "server", "transfer-encoding", "vary"}


class Writer:
    """Writes a file with a line of JSON for each step."""

    def __init__(self, path: str) -> None:
        self.file = open(path, "w", encoding="utf-8")

    def step(self, name: str, outcome: Any, expected: Any = None) -> None:
        """`expected` is what our server shall answer where WireMock 2.35.1 has nothing to compare with."""
        line = {"step": name, "outcome": outcome}
        if expected is not None:
            line["expected"] = expected
        self.file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self.file.flush()

    def call(self, value: Any, name: str) -> None:
        """From now on the value, such as an id that the server made, is replaced by a name."""
        if value is not None:
            self.file.write(json.dumps({"value": str(value), "name": name}) + "\n")

    def close(self) -> None:
        self.file.close()


@dataclass
class Step:
    name: str
    outcome: Any
    expected: Any = None


def read(path: Path, names: dict[str, str]) -> list[Step]:
    """The steps in a file; `names` has texts, such as ports, and what they are replaced by."""
    known, found = dict(names), []
    for line in path.read_text(encoding="utf-8").splitlines():
        value = json.loads(line)
        if "step" not in value:
            known[value["value"]] = f"<{value['name']}>"
            continue
        expected = value.get("expected")
        found.append(Step(value["step"], normal(value["outcome"], known), expected))
    return found


def normal(value: Any, names: dict[str, str], member: str = "") -> Any:
    """The value without what varies."""
    if member in MOVING and value is not None and not isinstance(value, (dict, list)):
        return "<date>" if isinstance(value, str) else "<number>"
    if isinstance(value, dict):
        if "possibleStates" in value and isinstance(value.get("mappings"), list):
            # The stubs of a scenario have no order either.
            value = value | {"mappings": sorted(value["mappings"], key=str)}
        return {plain(key, names): normal(part, names, key) for key, part in value.items()}
    if isinstance(value, list):
        parts = [normal(part, names) for part in value]
        return sorted(parts, key=str) if member in UNORDERED else parts
    if member == "detail" and isinstance(value, str):
        return "<text>"
    if member == "bodyAsBase64" and isinstance(value, str):
        return "<base64 of a miss>" if is_miss(decoded(value)) else plain(value, names)
    if isinstance(value, str):
        return "<a miss>" if is_miss(value) else plain(value, names)
    if isinstance(value, int) and not isinstance(value, bool) and member == "port":
        return names.get(f":{value}", value)
    return value


def plain(text: str, names: dict[str, str]) -> str:
    for value, name in names.items():
        text = text.replace(value, name)
    return AGENT.sub(r"<\1>", DATE.sub("<date>", UUID.sub("<uuid>", text)))


def decoded(text: str) -> str:
    try:
        return base64.b64decode(text, validate=True).decode()
    except ValueError:
        return ""


def is_miss(text: str) -> bool:
    """Whether a body says that no stub answers: WireMock's table, or our problem document."""
    return bool(MISS.search(text)) or '"title":"No contract matches' in text


def body(data: bytes, kind: str) -> Any:
    """A body as a transcript has it: JSON as values, pages of a server's own as their kind."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}
    if text.lstrip().startswith("<html>"):
        return PAGE
    if "json" in kind:
        try:
            value = json.loads(text)
        except ValueError:
            return text
        return PAGE if isinstance(value, dict) and "servlet" in value else {"json": value}
    return text


def headers(pairs: list[tuple[str, str]]) -> dict[str, list[str]]:
    kept: dict[str, list[str]] = {}
    for name, value in pairs:
        if name.lower() not in FRAMING and not name.lower().startswith("understudy-"):
            kept.setdefault(name.lower(), []).append(value)
    return kept


# Comparing

MISSING = "<missing>"


@dataclass
class Difference:
    step: str
    place: str
    theirs: Any
    ours: Any
    # Why that is as it should be.
    reason: str = ""

    @property
    def is_missing(self) -> bool:
        """Whether ours has no such step, since its program ended early."""
        return not self.place and self.ours == MISSING


def differences(theirs: Any, ours: Any, place: str = "") -> list[tuple[str, Any, Any]]:
    """The places in which two values differ."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        found = []
        for key in [*theirs, *(key for key in ours if key not in theirs)]:
            found += differences(theirs.get(key, MISSING), ours.get(key, MISSING), f"{place}/{key}")
        return found
    if isinstance(theirs, list) and isinstance(ours, list):
        if len(theirs) != len(ours):
            return [(f"{place}/length", len(theirs), len(ours))]
        return [
            each for number, pair in enumerate(zip(theirs, ours, strict=True))
            for each in differences(*pair, f"{place}/{number}")]
    same = theirs == ours and isinstance(theirs, bool) == isinstance(ours, bool)
    return [] if same else [(place, theirs, ours)]


def compare(
        theirs: list[Step], ours: list[Step], explain: Callable[[Difference, Any, Any], str],
        is_same_program: bool) -> list[Difference]:
    """`explain` gets a difference and both outcomes, and gives a reason, or nothing."""
    found = []
    others = {step.name: step for step in ours}
    known = {step.name for step in theirs}
    for step in theirs:
        other = others.get(step.name)
        if other is None:
            found.append(Difference(step.name, "", step.outcome, MISSING))
            continue
        wanted = step.outcome
        if step.expected is not None and not is_same_program:
            # Only what is expected counts.
            wanted = step.expected
            outcome = {key: other.outcome.get(key, MISSING) for key in wanted}
        else:
            outcome = other.outcome
        for place, left, right in differences(wanted, outcome):
            difference = Difference(step.name, place, left, right)
            if not is_same_program:
                difference.reason = explain(difference, wanted, outcome)
            found.append(difference)
    for step in ours:
        if step.name not in known:
            found.append(Difference(step.name, "", MISSING, step.outcome))
    return found


def written(steps: list[Step]) -> str:
    """A transcript for people: a line for each step."""
    return "".join(
        f"{step.name}: {json.dumps(step.outcome, ensure_ascii=False)}"
        + (f" expected of ours: {json.dumps(step.expected)}" if step.expected is not None else "") + "\n"
        for step in steps)
