"""Prints scripts without what only serves those who edit them: comments, white space and long names.

    ci/generating/squeeze.py FILE...

Strings, templates and regular expressions stay as they are. Line ends stay between functions, and where
a semicolon might be missing, though the scripts write every one. Names declared outside functions become
short, except those that properties have too.
"""

import re
import sys
from itertools import product
from string import ascii_letters

TOKEN = re.compile(
    r"""(?P<gap>(?:\s|//[^\n]*|/\*.*?\*/)+)
    |(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<word>[\w$]+)
    |(?P<sign>=>|\.\.\.|\+\+|--|.)""",
    re.VERBOSE | re.DOTALL,
)
REGEX = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
TEMPLATE = re.compile(r"[`}](?:[^`\\$]|\\.|\$(?!\{))*(?:`|\$\{)", re.DOTALL)
BEFORE_REGEX = {"return", "typeof", "case", "in", "of", "else"}
DECLARING = {"function", "const", "let", "class"}


def tokens(source):
    """Triples of a token, its kind, and what was before it: nothing, a space or line ends."""
    index, gap, last, kind = 0, "", "", ""
    # Of each brace that is open, whether it is in a template.
    braces = []
    while index < len(source):
        match = TOKEN.match(source, index)
        if match.lastgroup == "gap":
            gap, index = "\n" * min(2, match.group().count("\n")) or " ", match.end()
            continue
        ends_value = kind in ("word", "text") and last not in BEFORE_REGEX or last in (")", "]", "}")
        if match.group() == "{":
            braces.append(False)
        if match.group() == "`" or match.group() == "}" and braces.pop():
            kind, end = "text", TEMPLATE.match(source, index).end()
            if source[end - 1] == "{":
                kind = "start"
                braces.append(True)
        elif match.group() == "/" and not ends_value:
            kind, end = "text", REGEX.match(source, index).end()
        else:
            kind, end = match.lastgroup, match.end()
        last = source[index:end]
        yield last, kind, gap
        index, gap = end, ""


def is_method(parts, index):
    """Whether a body follows the parameters that begin here."""
    depth = 0
    for index in range(index, len(parts)):
        depth += {"(": 1, ")": -1}.get(parts[index][0], 0)
        if not depth:
            return parts[index + 1][0] == "{"


def short_names(parts):
    """By name: a short one for each that is declared outside functions and is no property's."""
    declared, properties, opened = [], set(), []
    for index, (token, kind, _) in enumerate(parts):
        before = parts[index - 1][0] if index else ""
        after = parts[index + 1][0] if index + 1 < len(parts) else ""
        if kind == "start" or token in ("{", "(", "["):
            if not (kind == "start" and token[0] == "}"):
                opened.append(token[-1])
        elif token in ("}", ")", "]") or kind == "text" and token[0] == "}":
            opened.pop()
        elif kind == "word":
            if before in DECLARING and not opened:
                declared.append(token)
            elif before == "." or opened and opened[-1] == "{" and before in ("{", ",") and (
                after in (",", "}", ":", "=") or after == "(" and is_method(parts, index + 1)
            ):
                properties.add(token)
    words = {token for token, kind, _ in parts if kind == "word"} | {"do", "if", "in"}
    free = ("".join(pair) for pair in product(ascii_letters, repeat=2))
    names = sorted(set(declared) - properties)
    return {name: next(one for one in free if one not in words) for name in names if len(name) > 2}


def is_needed(gap, last, token):
    if not gap or not last:
        return False
    if re.match(r"[\w$]", last[-1]) and re.match(r"[\w$]", token[0]) or last[-1] == token[0] in ("+", "-", "/"):
        return True
    starts = re.match(r"[\w$\"'`(\[+\-/]", token[0])
    return gap[0] == "\n" and bool(starts) and (
        re.match(r"[\w$\"'`)\]]", last[-1]) is not None or last == "}" and token[0] in "([`+-/")


def squeezed(source):
    parts = list(tokens(source))
    names = short_names(parts)
    made, last, depth = [], "", 0
    for token, kind, gap in parts:
        depth += {"{": 1, "}": -1}.get(token, 0)
        if token == "}" and last == ";":
            made.pop()
            last = made[-1]
        if not depth and gap == "\n\n":
            made.append("\n")
        elif is_needed(gap, last, token):
            made.append(gap[0])
        last = names.get(token, token) if kind == "word" else token
        made.append(last)
    return "".join(made)


if __name__ == "__main__":
    print(squeezed("\n".join(open(path, encoding="utf-8").read() for path in sys.argv[1:])))
