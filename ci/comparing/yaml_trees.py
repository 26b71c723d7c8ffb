"""Reads the same YAML with PyYAML and with ours, and compares the trees."""

import random
import subprocess
import sys
from pathlib import Path

import yaml
from yaml_core import core_trees, json_trees, same
from yaml_texts import TEXTS

ours, work, *folders = sys.argv[1:]
work = Path(work)
failures = []
WORDS = [
    "a", "key", "yes", "no", "null", "~", "true", "12", "-0.5", "1e3", "0x1F", "0o17", "007", ".5", "1.",
    "2001-12-14", "12:30", "http://example.org/a?b=c#d", "a: b", "a #b", "#a", "- a", "-a", "? a", "?a", ":a", "a:",
    "[a", "a]", "{a", "a}", ",", "a,b", "&a", "*a", "!a", "|", ">", "'", '"', "it's", '"a"', "%a", "@a", "`a`", "",
    " ", " a", "a ", "a  b", "\ta", "a\tb", "a\n", "\na", "a\nb", "a\n\nb\n", "a\n b\n  c\n", "  a\nb", "a\n\n\n",
    "größe", "ключ", "合约", "🎭", "e\u0301", "\u00a0", "\u200b", "\x07", "\x1b", "\x7f", "\\", "\\n", "a\\", "---", "...",
    "--- a", "<<", "=", "-", "--", "word " * 40, "longword" * 30, ("line of text\n" * 5),
]


class Styled:
    """Only texts get the default style: PyYAML would write `! "null"`, which is text in YAML 1.2."""

    def represent_scalar(self, tag, value, style=None):
        return super().represent_scalar(tag, value, style if tag.endswith(":str") else "")


class PythonDumper(Styled, yaml.SafeDumper):
    pass


class CDumper(Styled, yaml.CSafeDumper):
    pass


def tree(dice, depth, shared):
    kind = dice.randrange(10 if depth else 6)
    if kind < 3:
        return dice.choice(WORDS)
    if kind < 4:
        return " ".join(dice.choice(WORDS) for _ in range(dice.randrange(1, 12)))
    if kind < 5:
        return dice.choice([None, True, False, 0, -7, 12345678901234567890, 0.5, -1e300, 1e-7, 3.0])
    if kind < 6:
        return dice.choice(shared) if shared else dice.choice([[], {}])
    if kind < 8:
        made = [tree(dice, depth - 1, shared) for _ in range(dice.randrange(6))]
    else:
        made = {dice.choice(WORDS): tree(dice, depth - 1, shared) for _ in range(dice.randrange(6))}
    shared.append(made)
    return made


def dumped(dice):
    return yaml.dump_all(
        [tree(dice, dice.randrange(6), []) for _ in range(dice.choice([1, 1, 1, 2, 3]))],
        Dumper=dice.choice([PythonDumper, CDumper]),
        default_style=dice.choice([None, None, None, '"', "'", "|", ">"]),
        default_flow_style=dice.choice([True, False, False, None]), width=dice.choice([10, 40, 80, 1000]),
        indent=dice.choice([2, 3, 4, 8]), allow_unicode=dice.random() < 0.7, sort_keys=False,
        explicit_start=True, explicit_end=dice.random() < 0.2, canonical=dice.random() < 0.05,
        line_break=dice.choice(["\n", "\n", "\r\n"]))


def compare(name, paths):
    """Every text that both read must be the same tree."""
    run = subprocess.run(
        [ours, "json"], input="\n".join(map(str, paths)), capture_output=True, text=True, check=True)
    lines = run.stdout.splitlines()
    equal = refused = 0
    for path, line in zip(paths, lines, strict=True):
        theirs, mine = core_trees(path.read_bytes()), json_trees(line)
        if theirs is None and mine is None:
            refused += 1
        elif theirs is None or mine is None:
            failures.append(f"{path}: only {'ours' if theirs is None else 'PyYAML'} reads it: {line[:300]}")
        elif same(theirs, mine):
            equal += 1
        else:
            failures.append(f"{path}: PyYAML reads {theirs}\n  ours {line}")
    print(f"{name}: {len(paths)} texts, {equal} read the same, {refused} refused by both")


def written(name, texts):
    folder = work / name
    folder.mkdir(exist_ok=True)
    paths = []
    for number, text in enumerate(texts):
        paths.append(folder / f"{number}.yaml")
        paths[-1].write_bytes(text.encode())
    return paths


dice = random.Random(20)
compare("generated", written("generated", (dumped(dice) for _ in range(4000))))
compare("written by hand", written("hand", TEXTS))
for folder in folders:
    found = sorted(path for path in Path(folder).rglob("*") if path.suffix in (".yaml", ".yml"))
    compare(folder, found)
for failure in failures:
    print(f"ci/compare yaml: {failure[:2000]}", file=sys.stderr)
sys.exit(1 if failures else 0)
