"""Checks the symbol graphs and articles that ci/docs builds documentation from.

    ci/docs.py GRAPHS EXAMPLE CATALOGUE...

Every public declaration below GRAPHS must have a comment, and every Swift and JSON snippet in a
CATALOGUE must be in a file below EXAMPLE, where it is compiled and tested.
"""

import json
import re
import sys
from pathlib import Path


def undocumented(graph):
    """The declarations of a symbol graph without a comment; not those the compiler made."""
    for symbol in json.loads(graph.read_text())["symbols"]:
        kind = symbol["kind"]["identifier"]
        if "location" in symbol and "docComment" not in symbol and kind != "swift.extension":
            path = symbol["location"]["uri"].removeprefix("file://")
            line = symbol["location"]["position"]["line"] + 1
            yield f"{path}:{line}: {'.'.join(symbol['pathComponents'])} has no comment"


def stripped(text):
    return [line.strip().rstrip(",") for line in text.strip().splitlines()]


def unknown_snippets(article, files):
    """The snippets of an article that no file has, but for indentation and commas at line ends."""
    text = article.read_text()
    for match in re.finditer(r"^```(?:swift|json)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        lines = stripped(match[1])
        if not any(
            lines == file[start : start + len(lines)]
            for file in files
            for start in range(len(file))
        ):
            number = text.count("\n", 0, match.start()) + 1
            yield f"{article}:{number}: this snippet is not in Tests/Example"


graphs, example, *catalogues = map(Path, sys.argv[1:])
files = [
    stripped(path.read_text())
    for path in example.rglob("*")
    if path.suffix in (".swift", ".json") and ".build" not in path.parts
]
complaints = {
    complaint for graph in graphs.rglob("*.symbols.json") for complaint in undocumented(graph)
}
for catalogue in catalogues:
    for article in catalogue.glob("*.md"):
        complaints.update(unknown_snippets(article, files))
if complaints:
    sys.exit("\n".join(sorted(complaints)))
