"""measure.py UNDERSTUDY SHOWCASE WORK [--write REASON] [NAME…]: measures figures and compares them with
ci/budget.json. ci/budget builds the program and runs it."""

import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import subprocess
import sys

import callgrind
from figures import REQUESTS, Figures

HERE = pathlib.Path(__file__).parent
BUDGET = HERE.parent / "budget.json"
# What each function had of a figure when it was written down.
FUNCTIONS = HERE / "functions.json"
# A figure that moves farther in either direction is a finding, if it does so in most of several tries: threads may
# share the work of a start otherwise once in a while.
MOVE_MAX = 0.03
# Each folder above the contracts adds some calls.
MOVE_MAX_OF_CALLS = 0.08
TRY_COUNT = 3
FUNCTION_COUNT = 15
NAME_LENGTH_MAX = 140


def read(path):
    return json.loads(path.read_text()) if path.exists() else {}


def write(path, value):
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def parsed():
    parser = argparse.ArgumentParser(prog="ci/budget", description=__doc__.partition(": ")[2])
    parser.add_argument("understudy", help=argparse.SUPPRESS)
    parser.add_argument("showcase", help=argparse.SUPPRESS)
    parser.add_argument("work", help=argparse.SUPPRESS)
    parser.add_argument("--write", metavar="REASON", help="write down what is measured, and why it has moved")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these figures")
    return parser.parse_intermixed_args()


def plain(counts):
    """The counts by the names of functions as Swift's sources spell them."""
    names = list(counts)
    written = subprocess.run(
        ["swift", "demangle", "--simplified", "--compact"], input="\n".join(names), capture_output=True,
        text=True, check=True).stdout.splitlines()
    found = callgrind.Counts()
    for name, swift in zip(names, written):
        found[swift[:NAME_LENGTH_MAX]] += counts[name]
    return found


def top(counts):
    largest = sorted(counts.items(), key=lambda item: -abs(item[1]))[:FUNCTION_COUNT]
    return {name: round(value) for name, value in largest if round(value)}


def has_moved(found, known, unit):
    return abs(found / known["value"] - 1) > (MOVE_MAX_OF_CALLS if unit == "calls" else MOVE_MAX)


def number(value):
    return f"{value:,.0f}"


def main():
    options = parsed()
    figures = Figures(options.understudy, options.showcase, options.work)
    unknown = [name for name in options.names if name not in figures.measures]
    if unknown:
        print(f'ci/budget: no figure is named "{unknown[0]}"', file=sys.stderr)
        print(f"  fix: name one of {'; '.join(figures.measures)}", file=sys.stderr)
        return 2
    budget, functions = read(BUDGET), read(FUNCTIONS)
    names = options.names or list(figures.measures)
    moved = {}
    print(f"{'figure':34} {'unit':12} {'budget':>15} {'found':>15} {'change':>8}")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        requests = [name for name in names if name in REQUESTS]
        together = pool.submit(figures.requests, requests)
        alone = {name: pool.submit(figures.measures[name].measure) for name in names if name not in REQUESTS}
        for name in names:
            known, unit = budget.get(name), figures.measures[name].unit
            try:
                tries = [together.result()[name] if name in REQUESTS else alone[name].result()]
                if not known or has_moved(tries[0].total, known, unit):
                    # One after another, since they use the same files.
                    tries += [figures.measures[name].measure() for _ in range(1, TRY_COUNT)]
            except (callgrind.Failed, subprocess.SubprocessError) as error:
                print(f"ci/budget: {name}: {error}", file=sys.stderr)
                return 2
            counts = sorted(tries, key=lambda counts: counts.total)[len(tries) // 2]
            found = round(counts.total)
            change = found / known["value"] - 1 if known else None
            said = "new" if change is None else f"{change:+.1%}"
            print(
                f"{name:34} {unit:12} {number(known['value']) if known else '':>15} {number(found):>15} {said:>8}",
                flush=True)
            if change is None or has_moved(found, known, unit):
                moved[name] = (found, change, plain(counts) if unit == "instructions" else None)
    for name, (_, change, counts) in moved.items():
        if change is not None and counts:
            explain(name, counts, functions.get(name, {}))
    if options.write:
        write_down(moved, figures, budget, functions, options.write)
        return 0
    return check(moved)


def explain(name, counts, known):
    """Prints which functions have most of the difference."""
    print(f"\n{name}: {'instructions more':>24}")
    moves = {function: value - known.get(function, 0) for function, value in top(counts).items()}
    moves |= {function: -value for function, value in known.items() if function not in counts}
    for function, move in sorted(moves.items(), key=lambda item: -abs(item[1]))[:8]:
        print(f"  {move:+15,.0f}  {function}")


def write_down(moved, figures, budget, functions, reason):
    today = datetime.date.today().isoformat()
    for name, (found, _, counts) in moved.items():
        budget[name] = {"value": found, "unit": figures.measures[name].unit, "date": today, "reason": reason}
        if counts:
            functions[name] = top(counts)
    write(BUDGET, {name: budget[name] for name in figures.measures if name in budget})
    write(FUNCTIONS, {name: functions[name] for name in figures.measures if name in functions})
    print(f"\nwrote down {len(moved)} figures")


def check(moved):
    if not moved:
        return 0
    more = [name for name, (_, change, _) in moved.items() if change is not None and change > 0]
    new = [name for name, (_, change, _) in moved.items() if change is None]
    less = [name for name, (_, change, _) in moved.items() if change is not None and change < 0]
    print()
    if more:
        print(f"ci/budget: more than {MOVE_MAX:.0%} above the budget: {', '.join(more)}", file=sys.stderr)
        print('  fix: make it cheaper, or say why it costs more: ci/budget --write "REASON"', file=sys.stderr)
    if new or less:
        print(f"ci/budget: new, or more than {MOVE_MAX:.0%} below: {', '.join(new + less)}", file=sys.stderr)
        print('  fix: write it down, so that it stays so: ci/budget --write "REASON"', file=sys.stderr)
    # What has become cheaper is asked for, and refuses no change.
    return 1 if more or new else 0


sys.exit(main())
