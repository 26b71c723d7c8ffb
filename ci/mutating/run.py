"""Runs the tests of targets with one fault at a time; see ci/mutants."""

import argparse
import datetime
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import faults as finding

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / ".build/mutants"
TREE = WORK / "tree"
BUILD = WORK / "build"
HISTORY = ROOT / ".understudy/mutants/history.jsonl"
UNOBSERVABLE = pathlib.Path(__file__).with_name("unobservable.txt")

# In each target with faults. In a run that records, each fault that is reached is written to a file once.
SWITCH = """
import Glibc

private let chosenFault = getenv("UNDERSTUDY_FAULT").map { atoi($0) } ?? 0
private nonisolated(unsafe) let reachedFaults = UnsafeMutablePointer<Bool>.allocate(capacity: COUNT)
private let isReady: Void = reachedFaults.initialize(repeating: false, count: COUNT)

@inline(never)
func _fault(_ number: Int32) -> Bool {
  if chosenFault == number { return true }
  guard chosenFault < 0 else { return false }
  _ = isReady
  if reachedFaults[Int(number)] { return false }
  reachedFaults[Int(number)] = true
  guard let path = getenv("UNDERSTUDY_FAULTS_REACHED") else { return false }
  let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
  let line = "\\(number)\\n"
  _ = line.withCString { write(file, $0, strlen($0)) }
  close(file)
  return false
}
"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="ci/mutants")
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--count", type=int, default=300, help="faults, over all targets (default: 300)")
    parser.add_argument("--seed", default="1", help="another one draws others (default: 1)")
    asked = parser.parse_args()

    folders = {path.parent.name.removesuffix("Tests"): None
               for path in (ROOT / "Tests").glob("*Tests/*.swift")}
    known = sorted(name for name in folders if sources(name).is_dir())
    for name in asked.targets:
        if name not in known:
            print(f"ci/mutants: found no target {name} with tests, expected one of {', '.join(known)}",
                  file=sys.stderr)
            return 2
    targets = asked.targets or known

    reasons, complaint = unobservable()
    if complaint:
        print(f"ci/mutants: {complaint}", file=sys.stderr)
        return 2
    texts = {}
    candidates = {}
    for target in targets:
        candidates[target] = []
        for path in sorted(sources(target).rglob("*.swift")):
            texts[str(path.relative_to(ROOT))] = path.read_text()
            candidates[target] += finding.faults_of_file(str(path.relative_to(ROOT)), path.read_text())
    names = {fault.name for all_faults in candidates.values() for fault in all_faults}
    for name in reasons:
        if name.split(" | ")[1] in texts and name not in names:
            print(f"ci/mutating/unobservable.txt: there is no such fault any more: {name}")

    chosen = {}
    whole = sum(len(all_faults) for all_faults in candidates.values())
    for target, all_faults in candidates.items():
        share = max(4, round(asked.count * len(all_faults) / whole))
        drawn = finding.sample([one for one in all_faults if one.name not in reasons], share, asked.seed)
        chosen[target] = one_a_line(drawn)
    if not build(targets, texts, chosen):
        return 2

    results = {target: run(target, chosen[target]) for target in targets if chosen[target]}
    report({target: result for target, result in results.items() if result}, asked.seed)
    return 2 if None in results.values() else 0


def sources(target: str) -> pathlib.Path:
    return ROOT / "FakeServer" if target == "FakeServer" else ROOT / "Sources" / target


def unobservable() -> tuple[dict[str, str], str | None]:
    """Faults that change nothing that anybody can see, each with the reason."""
    reasons, name = {}, None
    for number, line in enumerate(UNOBSERVABLE.read_text().split("\n") + [""], 1):
        if line.startswith("#"):
            continue
        is_reason = line.startswith("  ")
        if is_reason != (name is not None):
            return {}, f"{UNOBSERVABLE.name}:{number}: found {line!r}, expected a fault and, below it and indented, why"
        if is_reason:
            reasons[name], name = line.strip(), None
        elif line:
            name = line
    return reasons, None


def one_a_line(drawn):
    """Errors of the compiler are told apart by their lines."""
    lines, kept = set(), []
    for fault in drawn:
        if (fault.path, fault.line) not in lines:
            lines.add((fault.path, fault.line))
            kept.append(fault)
    return kept


def build(targets, texts, chosen) -> bool:
    """Builds the tests with all faults, without those that do not compile."""
    mirror(targets)
    number = 0
    for target in targets:
        for fault in chosen[target]:
            number += 1
            fault.number = number
    command = ["swift", "build", "--build-tests", "--package-path", str(TREE), "--scratch-path", str(BUILD)]
    for attempt in range(12):
        for target in targets:
            write(TREE / sources(target).relative_to(ROOT) / "Faults+Switch.swift",
                  SWITCH.replace("COUNT", str(number + 1)))
            for path in {path for path in texts if (ROOT / path).is_relative_to(sources(target))}:
                own = [fault for fault in chosen[target] if fault.path == path]
                write(TREE / path, finding.applied(texts[path], own))
        count = sum(map(len, chosen.values()))
        print(f"building with {count} faults", flush=True)
        made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if made.returncode == 0:
            return True
        errors = set(re.findall(rf"{re.escape(str(TREE))}/(\S+?):(\d+):\d+: error: ", made.stdout))
        dropped = 0
        for path, line in errors:
            for target in targets:
                own = [fault for fault in chosen[target] if fault.path == path]
                # What a fault does to a function may be complained about where that ends.
                guilty = [fault for fault in own if fault.line == int(line)] \
                    or sorted((fault for fault in own if 0 < int(line) - fault.line < 80),
                              key=lambda fault: -fault.line)[:1]
                dropped += len(guilty)
                chosen[target] = [fault for fault in chosen[target] if fault not in guilty]
        if not dropped:
            print(made.stdout[-4000:])
            print("ci/mutants: the sources do not build, and no fault is to blame", file=sys.stderr)
            return False
        print(f"  {dropped} do not compile", flush=True)
    return False


def mirror(targets) -> None:
    """A copy of the package with the tests of these targets, in which only what changed is written."""
    listed = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "-z"], cwd=ROOT, check=True,
                            stdout=subprocess.PIPE)
    files = [name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]
    kept = set(files) | {f"{sources(target).relative_to(ROOT)}/Faults+Switch.swift" for target in targets}
    for path in TREE.rglob("*"):
        if path.is_file() and str(path.relative_to(TREE)) not in kept:
            path.unlink()
    tests = " ".join(f"{target}Tests" for target in targets)
    for name in files:
        target = TREE / name
        bytes_ = (ROOT / name).read_bytes()
        if name == "Package.swift":
            bytes_ += (f'\nlet onlyTests = "{tests}".split(separator: " ").map(String.init)\n'
                       "package.targets.removeAll { $0.type == .test && !onlyTests.contains($0.name) }\n").encode()
        # Those with faults are written by `build`.
        if name.endswith(".swift") and any((ROOT / name).is_relative_to(sources(one)) for one in targets):
            if target.exists():
                continue
        if not target.exists() or target.read_bytes() != bytes_:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(bytes_)
            shutil.copymode(ROOT / name, target)


def write(path: pathlib.Path, text: str) -> None:
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def program() -> str:
    return str(sorted(BUILD.glob("debug/*PackageTests.xctest"))[0])


def suites(target: str) -> list[str]:
    """The types with tests of a target."""
    listed = subprocess.run([program(), "--testing-library", "swift-testing", "--list-tests"], cwd=TREE,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    return sorted({match.group(1) for match in re.finditer(rf"(?m)^({target}Tests\.[^/(]+)/", listed)})


def limited() -> None:
    # A fault may build up memory without end; what a browser only reserves does not count.
    resource.setrlimit(resource.RLIMIT_DATA, (4 << 30, 4 << 30))


def test(suite: str, environment: dict[str, str], limit: float):
    """The exit code, `None` after the limit; the output; the time."""
    command = [program(), "--testing-library", "swift-testing", "--filter", f"^{re.escape(suite)}/"]
    # Faults crash a lot, and a backtrace takes seconds.
    own = {**os.environ, "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "8",
           "SWIFT_BACKTRACE": "enable=no", **environment}
    begun = time.monotonic()
    with open(WORK / "output.txt", "wb") as output:
        process = subprocess.Popen(command, cwd=TREE, env=own, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=limited)
        try:
            code = process.wait(limit)
        except subprocess.TimeoutExpired:
            code = None
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
    return code, (WORK / "output.txt").read_text(errors="replace"), time.monotonic() - begun


def run(target: str, chosen):
    """What became of each fault: its outcome, and the test that noticed it."""
    # Which suites reach which faults: only those are run with it, the fast ones first.
    reached_file = WORK / "reached.txt"
    found = []
    for suite in suites(target):
        reached_file.unlink(missing_ok=True)
        code, output, usual = test(
            suite, {"UNDERSTUDY_FAULT": "-1", "UNDERSTUDY_FAULTS_REACHED": str(reached_file)}, 1200)
        if code != 0:
            print(output[-3000:])
            print(f"ci/mutants: {suite} fails without a fault", file=sys.stderr)
            return None
        reached = {int(line) for line in reached_file.read_text().split()} if reached_file.exists() else set()
        found.append((usual, suite, reached))
    found.sort()
    everywhere = set().union(*(reached for _, _, reached in found))
    print(f"{target}: {len(chosen)} faults, of which tests reach "
          f"{sum(fault.number in everywhere for fault in chosen)}; "
          f"{sum(usual for usual, _, _ in found):.0f} s for all tests", flush=True)
    results = []
    for fault in chosen:
        outcome, by = "unnoticed" if fault.number in everywhere else "not reached", ""
        for usual, suite, reached in found:
            if fault.number not in reached:
                continue
            code, output, _ = test(suite, {"UNDERSTUDY_FAULT": str(fault.number)}, max(30, 4 * usual))
            if code == 0:
                continue
            issue = re.search(r"✘ Test (.+?) recorded an issue|✘ Test (.+?) failed", output)
            silence = "it hung" if code is None else "it crashed"
            by = f"{suite}: {issue.group(1) or issue.group(2) if issue else silence}"
            outcome = "hang" if code is None else "noticed"
            break
        results.append((fault, outcome, by))
        if outcome != "noticed":
            print(f"  {fault.path}:{fault.line}: {outcome}: {fault.kind}: {fault.source}  [{fault.shown}] {by}",
                  flush=True)
    return results


def report(results, seed: str) -> None:
    commit = subprocess.run(["git", "-c", "safe.directory=*", "rev-parse", "--short", "HEAD"], cwd=ROOT,
                            stdout=subprocess.PIPE, text=True).stdout.strip()
    lines = ["| target | faults | noticed | share |", "|---|---|---|---|"]
    total = count = 0
    history = []
    for target, all_results in results.items():
        # A test that hangs does not pass, but it helps nobody to find the fault.
        noticed = sum(outcome in ("noticed", "hang") for _, outcome, _ in all_results)
        total, count = total + noticed, count + len(all_results)
        lines.append(f"| {target} | {len(all_results)} | {noticed} | {100 * noticed // len(all_results)} % |")
        history.append({"at": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
                        "commit": commit, "seed": seed, "target": target, "faults": len(all_results),
                        "noticed": noticed,
                        "hung": sum(outcome == "hang" for _, outcome, _ in all_results)})
    lines.append(f"| all | {count} | {total} | {100 * total // max(1, count)} % |")
    print("\n".join(lines))
    for outcome, title in (("unnoticed", "No test notices"), ("not reached", "No test gets to"),
                           ("hang", "A test waits in vain for what it says nothing of")):
        found = [fault for all_results in results.values() for fault, one, _ in all_results if one == outcome]
        if found:
            lines += ["", f"{title}:", "", "```"]
            lines += [f"{fault.name}   (line {fault.line})" for fault in found] + ["```"]
    (WORK / "report.md").write_text("\n".join(lines) + "\n")
    (WORK / "noticed.txt").write_text("".join(
        f"{fault.name} — {by}\n" for all_results in results.values() for fault, one, by in all_results
        if one == "noticed"))
    print(f"the list is in {(WORK / 'report.md').relative_to(ROOT)}")
    HISTORY.parent.mkdir(parents=True, exist_ok=True)
    with open(HISTORY, "a") as file:
        for record in history:
            file.write(json.dumps(record) + "\n")


sys.exit(main())
