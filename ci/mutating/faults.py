"""Finds the places of Swift sources where a small fault can be put in, each behind a switch.

A fault is a piece of one line and what stands there instead: an expression that gives the old value until
`_fault(N)` says that fault N is on. Where a fault does not compile, the build says so and it is left out.
"""

import hashlib
import re
from dataclasses import dataclass


@dataclass
class Fault:
    path: str
    line: int
    kind: str
    # The columns of the piece in its line, and the text with NUMBER for the fault's number.
    start: int
    end: int
    text: str
    # The whole line without its indentation, and what the fault makes of it, for people: they name the fault
    # wherever the line moves.
    source: str
    shown: str
    number: int = 0
    # Names it among those that are alike, for the sample.
    rank: str = ""

    @property
    def name(self) -> str:
        return f"{self.kind} | {self.path} | {self.source} | {self.shown}"


# What ends an operand of a comparison, beside brackets.
STOPS = ["&&", "||", ",", " ? ", " : ", ";", "{", "}", " = ", "return ", "if ", "guard ", "while ", "where ",
         "else ", "in ", "-> ", " is ", " as ", "??", "let ", "var ", "case ", "try ", "await ", "throw ",
         "\\("]
OPPOSITE = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
LITERAL = re.compile(r'"(?:[^"\\]|\\[^(])*"')
SKIPPED = re.compile(
    r"\s*(//|/\*|\*|#|@|import |package import|case |default:|precondition|assert|extension |struct |class |enum "
    r"|protocol |typealias |public import)")
DECLARATION = re.compile(r"\b(func|init|subscript|static let|let [A-Z]\w*:|class|struct|enum|extension|protocol)\b")


def blank(line: str) -> str:
    """The line with the contents of its literals and its comment replaced, at the same columns."""
    out, i, n = [], 0, len(line)
    while i < n:
        if line.startswith("//", i):
            out.append(" " * (n - i))
            break
        if line[i] == '"' or line[i] == "#" and line[i:i + 2] == '#"':
            quote = '"#' if line[i] == "#" else '"'
            j = i + len(quote)
            while j < n and not line.startswith(quote, j):
                j += 2 if quote == '"' and line[j] == "\\" else 1
            j = min(n, j + len(quote))
            out.append('"' + "x" * (j - i - 2) + '"' if j - i >= 2 else "x")
            i = j
            continue
        out.append(line[i])
        i += 1
    return "".join(out)


def left_end(code: str, at: int) -> int | None:
    """Where the operand that ends before `at` begins."""
    depth, i = 0, at
    while i > 0:
        c = code[i - 1]
        if c in ")]}":
            depth += 1
        elif c in "([{":
            if depth == 0:
                return i
            depth -= 1
        elif depth == 0:
            for stop in STOPS:
                if code.endswith(stop, 0, i):
                    if stop[0].isalpha() and i > len(stop) and (code[i - len(stop) - 1].isalnum()
                                                               or code[i - len(stop) - 1] in "._"):
                        continue
                    return i
        i -= 1
    return len(code) - len(code.lstrip()) if depth == 0 else None


def right_end(code: str, at: int) -> int | None:
    """Where the operand that begins at `at` ends; `None` where it goes on in the next line."""
    depth, i = 0, at
    while i < len(code):
        c = code[i]
        if c in "([":
            depth += 1
        elif c in ")]":
            if depth == 0:
                return i
            depth -= 1
        elif c == "{" or c == "}":
            if depth == 0:
                return i
            return None
        elif depth == 0:
            for stop in ("&&", "||", ",", " ? ", " : ", ";", " else ", " where ", "??"):
                if code.startswith(stop, i):
                    return i
        i += 1
    return i if depth == 0 else None


def trimmed(line: str, start: int, end: int) -> tuple[int, int]:
    while start < end and line[start] == " ":
        start += 1
    while end > start and line[end - 1] == " ":
        end -= 1
    return start, end


def is_balanced(text: str) -> bool:
    return all(text.count(a) == text.count(b) for a, b in ("()", "[]", "{}"))


def faults_of_line(line: str, following: str):
    """Kind, start, end, text and what people see, for each fault of a line."""
    code = blank(line)
    if not line.strip() or SKIPPED.match(line):
        return
    is_declaration = DECLARATION.search(code) is not None

    for match in re.finditer(r" (<=|>=|==|!=|<|>) ", code):
        if is_declaration or "operator" in code:
            continue
        start, end = left_end(code, match.start()), right_end(code, match.end())
        if start is None or end is None:
            continue
        start, end = trimmed(line, start, end)
        left, right = line[start:match.start()].strip(), line[match.end():end].strip()
        if not left or not right or not is_balanced(code[start:end]) or right.startswith("{"):
            continue
        if end == len(line) and following.lstrip().startswith((".", "+", "-", "*", "/", "?", "??")):
            continue
        operator = match.group(1)
        other = f"{left} {OPPOSITE[operator]} {right}"
        yield "comparison", start, end, f"(_fault(NUMBER) ? {other} : {line[start:end]})", other

    # A condition of several, or the only one.
    head = re.match(r"\s*(?:\} else )?(if|guard|while) (.*?)( else)? \{\s*$", code)
    if head:
        base = head.start(2)
        depth, begin, pieces = 0, base, []
        for i in range(base, head.end(2) + 1):
            c = code[i] if i < head.end(2) else ","
            if c in "([{":
                depth += 1
            elif c in ")]}":
                depth -= 1
            elif c == "," and depth == 0:
                pieces.append((begin, i))
                begin = i + 1
        for begin, end in pieces:
            begin, end = trimmed(line, begin, end)
            piece = line[begin:end]
            if not piece or re.match(r"(let|var|case|#|try)\b", piece) or "{" in code[begin:end]:
                continue
            yield "condition", begin, end, f"(_fault(NUMBER) || {piece})", f"{piece} → true"
            yield "condition", begin, end, f"(!_fault(NUMBER) && {piece})", f"{piece} → false"
    for match in re.finditer(r" (&&|\|\|) ", code):
        end = right_end(code, match.end())
        if end is None or is_declaration:
            continue
        start, end = trimmed(line, match.end(), end)
        piece = line[start:end]
        if not piece or end == len(line) and following.lstrip().startswith((".", "+", "-", "?", "=", "<", ">")):
            continue
        # Whatever the other side says is what remains.
        if match.group(1) == "&&":
            yield "condition", start, end, f"(_fault(NUMBER) || {piece})", f"&& {piece} left out"
        else:
            yield "condition", start, end, f"(!_fault(NUMBER) && {piece})", f"|| {piece} left out"

    for match in re.finditer(r"(?<![\w.])(\d[\d_]*)(?![\w.]|\.\.)", code):
        if is_declaration and "=" not in code[:match.start()]:
            continue
        if code[:match.start()].endswith(("$", "#")) or code.lstrip().startswith(("case", "static let", "@")):
            continue
        value = int(match.group(1).replace("_", ""))
        # A limit, a size or a status in a declaration: one more or less is as good.
        if value >= 10 and re.search(r"\b(let|var) \w+", code[:match.start()]):
            continue
        new = value + 1
        yield ("bound", match.start(), match.end(), f"(_fault(NUMBER) ? {new} : {match.group(1)})",
               f"{match.group(1)} → {new}")

    for match in re.finditer(r"\?\? (true|false|0|\"\"|\[\]|nil|1)(?![\w.])", code):
        new = {"true": "false", "false": "true", "0": "1", "1": "0", '""': '"fault"', "[]": None, "nil": None}
        other = new[match.group(1)]
        if other:
            yield ("default", match.start(1), match.end(1), f"(_fault(NUMBER) ? {other} : {match.group(1)})",
                   f"?? {match.group(1)} → {other}")
    match = re.match(r"\s*(?:(?:package|public|private|fileprivate|private\(set\)|package\(set\)) )*var \w+(?:: Bool)? = (true|false)$", code)
    if match:
        other = {"true": "false", "false": "true"}[match.group(1)]
        yield ("default", match.start(1), match.end(1), f"(_fault(NUMBER) ? {other} : {match.group(1)})",
               f"= {match.group(1)} → {other}")

    # An entry of a list of texts.
    if len(LITERAL.findall(line)) >= 2:
        for match in LITERAL.finditer(line):
            before, after = line[:match.start()].rstrip(), line[match.end():].lstrip()
            if (not before or before[-1] in "[,") and (not after or after[0] in ",]") and match.group() != '""':
                yield ("entry", match.start(), match.end(), f'(_fault(NUMBER) ? "" : {match.group()})',
                       f"without {match.group()}")

    # Two arguments of one type, at a guess: the compiler knows.
    for match in re.finditer(r"(\w+): ([a-z]\w*(?:\.\w+)*), (\w+): ([a-z]\w*(?:\.\w+)*)(?=[,)])", line):
        if is_declaration or match.group(2) == match.group(4) or {"true", "false", "nil"} & {match.group(2), match.group(4)}:
            continue
        a, x, b, y = match.groups()
        yield ("swap", match.start(), match.end(),
               f"{a}: (_fault(NUMBER) ? {y} : {x}), {b}: (_fault(NUMBER) ? {x} : {y})", f"{a}: {y}, {b}: {x}")
    for match in re.finditer(r"(?<=\()([a-z]\w*(?:\.\w+)*), ([a-z]\w*(?:\.\w+)*)(?=\))", line):
        x, y = match.groups()
        if is_declaration or x == y or code[:match.start()].rstrip("(").rstrip().endswith(
                ("let", "var", "=", "case", "for", "min", "max")):
            continue
        yield "swap", match.start(), match.end(), f"_fault(NUMBER) ? {y} : {x}, _fault(NUMBER) ? {x} : {y}", f"{y}, {x}"

    # A statement left out: a call, or an assignment.
    statement = line.strip()
    plain = re.match(r"[a-z]\w*(?:[?!]?\.\w+|\[[^\]]*\])*[?!]?(\(.*\)| [-+*/|&]?= .*)$", blank(statement))
    if plain and is_balanced(code) and ".reserveCapacity(" not in statement and not statement.startswith(
            ("return", "throw", "let ", "var ", "case ", "break", "continue", "init(", "super.", "self.init", "guard",
             "if ", "for ", "while ", "defer", "switch", "try ", "await ", "yield", "self = ", "self.")
    ) and statement[-1] not in "{,(" and not following.lstrip().startswith((".", "?", "+", "&&", "||", ":", "-", "*", ")", "]")):
        start = len(line) - len(line.lstrip())
        yield "statement", start, len(line), f"if !_fault(NUMBER) {{ {statement} }}", f"without {statement}"
    # An early return from what returns nothing.
    if re.match(r"\s*(?:@\w+ )*(?:(?:package|public|private|fileprivate|mutating|static|nonmutating) )*func \w+\(.*\)(?: throws(?:\([\w.]+\))?)? \{$", code):
        yield "return", len(line), len(line), " if _fault(NUMBER) { return }", "returns at once"


def faults_of_file(path: str, text: str) -> list[Fault]:
    if "/Generated/" in path:
        return []
    lines = text.split("\n")
    found, seen = [], {}
    in_text, brackets = False, 0
    for index, line in enumerate(lines):
        quotes = line.count('"""')
        if in_text or quotes:
            in_text = in_text != (quotes % 2 == 1)
            continue
        if "=~" in line or "/" in line and re.search(r"\s/\S.*\S/[\s,)]", line):
            continue
        following = lines[index + 1] if index + 1 < len(lines) else ""
        previous = lines[index - 1].rstrip() if index else ""
        for kind, start, end, replacement, shown in faults_of_line(line, following):
            # The rest of an expression that began before.
            if kind == "statement" and (previous.endswith((",", "(", "[", "=", "&&", "||", "?", ":", "??", "+", "return"))
                                        or previous.lstrip().startswith("case ") and previous.endswith(":")
                                        and index + 2 < len(lines) and lines[index + 1].lstrip().startswith(("case", "default", "}"))):
                continue
            fault = Fault(path, index + 1, kind, start, end, replacement, line.strip(), shown)
            count = seen[fault.name] = seen.get(fault.name, 0) + 1
            fault.rank = f"{fault.name} {count}"
            found.append(fault)
    return found


def sample(faults: list[Fault], count: int, seed: str) -> list[Fault]:
    """The kinds take turns, so that the rare ones are met as well. What is drawn depends on the seed and on
    the fault alone: a change elsewhere leaves the rest of a sample as it was."""
    kinds: dict[str, list[Fault]] = {}
    for fault in faults:
        kinds.setdefault(fault.kind, []).append(fault)
    for kind in kinds.values():
        kind.sort(key=lambda one: hashlib.sha256(f"{seed} {one.rank}".encode()).hexdigest())
    queues = [kinds[name] for name in sorted(kinds)]
    chosen = []
    while len(chosen) < count and any(queues):
        for queue in queues:
            if queue and len(chosen) < count:
                chosen.append(queue.pop(0))
    return chosen


def applied(text: str, faults: list[Fault]) -> str:
    """The text with all of them; those that meet in one place are left to the caller to avoid."""
    lines = text.split("\n")
    for fault in sorted(faults, key=lambda one: (one.line, one.start), reverse=True):
        line = lines[fault.line - 1]
        lines[fault.line - 1] = line[:fault.start] + fault.text.replace("NUMBER", str(fault.number)) + line[fault.end:]
    return "\n".join(lines)
