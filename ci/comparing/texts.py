"""Makes texts that match regular expressions, and JSON in which a JSONPath finds something."""

import json
import random
import re
from re import _constants as codes
from re import _parser as parser
from typing import Any

# What Java writes otherwise than Python.
JAVA = [
    (r"\(\?<([A-Za-z]\w*)>", r"(?P<\1>"), (r"\\p\{Alpha\}", "[A-Za-z]"), (r"\\p\{Alnum\}", "[A-Za-z0-9]"),
    (r"\\p\{Digit\}", "[0-9]"), (r"\\p\{Upper\}|\\p\{Lu\}", "[A-Z]"), (r"\\p\{Lower\}|\\p\{Ll\}", "[a-z]"),
    (r"\\p\{XDigit\}", "[0-9a-f]"), (r"\\p\{(Is)?L(etter)?\}|\\p\{IsAlphabetic\}", "[a-z]"),
    (r"\\p\{Punct\}", "[!,.-]"), (r"\\h", r"[ \\t]"), (r"\\z", r"\\Z"),
]
# Preferred where a set leaves a choice: characters that URLs take as they are.
CHOICES = "x7aB-_.~!,:;@=+$'()*&/? \"<>[]{}|\\^`%#\t\u00e9"


def python_pattern(java: str) -> re.Pattern | None:
    text = re.sub(r"\\Q(.*?)(\\E|$)", lambda quoted: re.escape(quoted[1]), java, flags=re.DOTALL)
    for old, new in JAVA:
        text = re.sub(old, new, text)
    flags = 0
    if found := re.search(r"\(\?([ismx]+)\)", text):
        text = text.replace(found[0], "")
        for letter in found[1]:
            flags |= getattr(re, letter.upper())
    try:
        return re.compile(text, flags)
    except re.error:
        return None


def matching(java: str, generous: bool = False) -> str | None:
    """A text that the whole pattern matches: with few characters, or with more and other alternatives."""
    pattern = python_pattern(java)
    if pattern is None:
        return None
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)
    for seed in range(60):
        maker = Maker(random.Random(seed), generous, seed > 0)
        text = maker.sequence(tree)
        if pattern.fullmatch(text):
            return text
    return None


class Maker:
    """Walks a parsed pattern. The first try takes what is plainest; later ones take whatever comes."""

    def __init__(self, chance: random.Random, generous: bool, free: bool):
        self.chance, self.generous, self.free = chance, generous, free
        self.groups: dict[int, str] = {}

    def sequence(self, items: Any) -> str:
        return "".join(self.item(code, value) for code, value in items)

    def item(self, code: Any, value: Any) -> str:
        if code is codes.LITERAL:
            return chr(value)
        if code is codes.NOT_LITERAL:
            return next(c for c in CHOICES if ord(c) != value)
        if code is codes.ANY:
            return self.chance.choice("xyz012") if self.free else "x"
        if code is codes.IN:
            return self.one_of(value)
        if code is codes.BRANCH:
            ways = value[1]
            if self.free:
                return self.sequence(self.chance.choice(ways))
            return self.sequence(ways[-1 if self.generous else 0])
        if code is codes.SUBPATTERN:
            text = self.sequence(value[3])
            self.groups[value[0]] = text
            return text
        if code is codes.ATOMIC_GROUP:
            return self.sequence(value)
        if code is codes.GROUPREF:
            return self.groups.get(value, "")
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            low, high, inner = value
            most = min(int(high), low + 3)
            count = self.chance.randint(low, most) if self.free else most - 1 if self.generous else low
            return "".join(self.sequence(inner) for _ in range(max(low, count)))
        # Places take no characters; whether they hold is seen at the end.
        return ""

    def one_of(self, members: Any) -> str:
        negated = members[0][0] is codes.NEGATE
        fitting = [c for c in CHOICES if any(takes(m, c) for m in members[negated:]) != negated]
        for code, value in [] if negated else members:
            if code is codes.RANGE:
                fitting.insert(0, chr(value[0]))
                fitting.append(chr(value[1]))
            elif code is codes.LITERAL:
                fitting.append(chr(value))
        if not fitting:
            return ""
        return self.chance.choice(fitting) if self.free else fitting[-1 if self.generous and not negated else 0]


def takes(member: tuple, character: str) -> bool:
    code, value = member
    if code is codes.LITERAL:
        return ord(character) == value
    if code is codes.RANGE:
        return value[0] <= ord(character) <= value[1]
    if code is codes.CATEGORY:
        letter = {
            codes.CATEGORY_DIGIT: "d", codes.CATEGORY_NOT_DIGIT: "D", codes.CATEGORY_SPACE: "s",
            codes.CATEGORY_NOT_SPACE: "S", codes.CATEGORY_WORD: "w", codes.CATEGORY_NOT_WORD: "W"}[value]
        return re.match("\\" + letter, character) is not None
    return False


# JSONPath

STEP = re.compile(r"""
    \.\.(?P<deep>[\w*-]+) | \.(?P<member>[^.\[\]()\s]+)(?P<call>\(\))? | \[\s*(?P<quote>['"])(?P<quoted>.*?)(?P=quote)\s*\]
    | \[(?P<index>-?\d+)\] | \[(?P<each>\*)\] | \[(?P<slice>-?\d*:-?\d*)\] | \.\.(?=\[) | \s+
""", re.VERBOSE)


def steps(path: str) -> list[tuple[str, Any]]:
    """The steps of `$.a[0]['b'][?(@.c == 1)]`."""
    rest, found = path.strip()[1:], []
    while rest:
        if rest.startswith("[?("):
            end, depth = 2, 0
            for end in range(2, len(rest)):
                depth += {"(": 1, ")": -1}.get(rest[end], 0)
                if depth == 0:
                    break
            found.append(("filter", rest[3:end]))
            rest = rest[end + 2:]
            continue
        step = STEP.match(rest)
        if not step:
            raise ValueError(f"cannot read {rest} in {path}")
        for kind in ("deep", "member", "quoted", "index", "each", "slice"):
            if step[kind] is not None:
                found.append(("call" if step["call"] else "member" if kind == "quoted" else kind, step[kind]))
        rest = rest[step.end():]
    return found


ANYTHING = object()


def placed(document: Any, path: list[tuple[str, Any]], leaf: Any, as_object: bool = False) -> Any:
    """The document with something where the path leads; `as_object` lets a filter find an object itself."""
    if not path:
        if leaf is ANYTHING:
            return "text" if document is None else document
        return leaf
    (kind, value), rest = path[0], path[1:]
    if kind in ("member", "deep") and value != "*":
        document = document if isinstance(document, dict) else {}
        return document | {value: placed(document.get(value), rest, leaf, as_object)}
    if kind == "call":
        return list(range(int(leaf))) if str(leaf).isdigit() else document
    if kind == "filter":
        if as_object and not isinstance(document, list):
            return placed(filtered(document or {}, value), rest, leaf, as_object)
        document = document if isinstance(document, list) else []
        return document + [placed(filtered({}, value), rest, leaf, as_object)]
    index = int(value) if kind == "index" else 0
    if kind == "member":
        document = document if isinstance(document, dict) else {}
        return document | {"any": placed(None, rest, leaf, as_object)}
    document = list(document) if isinstance(document, list) else []
    while len(document) <= max(index, -index - 1):
        document.append(None)
    document[index] = placed(document[index], rest, leaf, as_object)
    return document


def filtered(element: Any, text: str) -> Any:
    """The element changed so that the filter takes it."""
    for test in re.split(r"&&", text.split("||")[0]):
        test = test.strip().strip("()").strip() if test.count("(") != test.count(")") else test.strip()
        while test.startswith("(") and test.endswith(")"):
            test = test[1:-1].strip()
        if test.startswith("!"):
            continue
        found = re.match(r"(@[^=!<>~\s]*)\s*(==|!=|>=|<=|=~|>|<|\bin\b|\bnin\b|\bsize\b|\bempty\b|\bcontains\b)?\s*(.*)$", test)
        if not found:
            raise ValueError(f"cannot read the filter {text}")
        path, sign, literal = steps(found[1].replace(".length()", "").replace(".size()", "")), found[2], found[3]
        if found[1].endswith("()"):
            element = placed(element, path, ["a"] * int(literal) if sign == "==" else ["a"] * 3)
            continue
        element = placed(element, path, fitting(sign, literal))
    return element


def fitting(sign: str | None, literal: str) -> Any:
    if sign is None:
        return ANYTHING
    if sign == "=~":
        pattern, _, flags = literal[1:].rpartition("/")
        return matching(f"(?{flags}){pattern}" if flags else pattern)
    quoted = literal[:1] in "'\"" and literal[:1]
    try:
        value = literal[1:-1] if quoted else json.loads(literal.replace("'", '"'))
    except ValueError:
        value = literal
    if sign in ("==", ">=", "<="):
        return value
    if sign == "!=":
        return "other" if value != "other" else "another"
    if sign == "in":
        return value[0]
    if sign == "nin":
        return "other"
    if sign == "contains":
        return [value]
    if sign == "size":
        return ["a"] * int(value)
    if sign == "empty":
        return [] if value else ["a"]
    return value + 1 if sign == ">" else value - 1
