"""Runs the tests of targets with one fault at a time; see ci/mutants."""

import argparse
import concurrent.futures
import dataclasses
import datetime
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

import faults as finding

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / ".build/mutants"
TREE = WORK / "tree"
BUILD = WORK / "build"
BUILT = WORK / "built.txt"
PLAN = WORK / "plan.json"
RESULTS = WORK / "results.jsonl"
REPORT = WORK / "report.md"
HISTORY = ROOT / ".understudy/mutants/history.jsonl"
UNOBSERVABLE = pathlib.Path(__file__).with_name("unobservable.txt")

# In each target with faults. In a run that records, each fault that is reached is written to a file once.
# The tool hands variables that begin with LC_ on to whatever it starts.
SWITCH = """
import Glibc

private let chosenFault = getenv("LC_FAULT").map { atoi($0) } ?? 0
private nonisolated(unsafe) let reachedFaults = UnsafeMutablePointer<Bool>.allocate(capacity: 65536)
private let isReady: Void = reachedFaults.initialize(repeating: false, count: 65536)

@inline(never)
func _fault(_ number: Int32) -> Bool {
  if chosenFault == number { return true }
  guard chosenFault < 0 else { return false }
  _ = isReady
  if reachedFaults[Int(number)] { return false }
  reachedFaults[Int(number)] = true
  guard let path = getenv("LC_FAULTS_REACHED") else { return false }
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
    parser.add_argument("--minutes", type=float, help="try no more faults after this time")
    asked = parser.parse_args()
    end = time.monotonic() + 60 * asked.minutes if asked.minutes else None

    known = known_targets()
    for name in asked.targets:
        if name not in known:
            print(f"ci/mutants: no target {name} with tests, expected one of {', '.join(known)}",
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

    key = described(asked, targets)
    plan = json.loads(PLAN.read_text()) if PLAN.exists() else {}
    if plan.get("key") == key:
        chosen = {target: [finding.Fault(**fault) for fault in own] for target, own in plan["chosen"].items()}
        found = plan["found"]
    else:
        chosen = {}
        whole = sum(len(all_faults) for all_faults in candidates.values())
        for target, all_faults in candidates.items():
            share = max(4, round(asked.count * len(all_faults) / whole))
            drawn = finding.sample([one for one in all_faults if one.name not in reasons], share, asked.seed)
            chosen[target] = one_a_line(drawn)
        PLAN.unlink(missing_ok=True)
        RESULTS.unlink(missing_ok=True)
        if not build(targets, texts, chosen):
            return 2
        found = reached(targets)
        PLAN.write_text(json.dumps({
            "key": key, "found": found,
            "chosen": {target: [dataclasses.asdict(one) for one in own] for target, own in chosen.items()}}))
    for name, _, numbers in [one for own in found.values() for one in own]:
        if numbers is None:
            print(f"ci/mutants: {name} fails without a fault, and was left out", file=sys.stderr)
    is_whole = run(chosen, found, end, asked.seed)
    note(chosen, asked.seed)
    print(REPORT.read_text().split("\n\n")[0])
    print(f"the list is in {REPORT.relative_to(ROOT)}")
    if not is_whole:
        print("the time is up: ci/mutants with the same words goes on from here")
    return 0


def described(asked, targets) -> str:
    """What a plan and its results depend on."""
    return f"{asked.count} {asked.seed} {targets} {digest('Sources', 'FakeServer', 'Tests', 'ci/mutating')}"


def digest(*folders: str) -> str:
    whole = hashlib.sha256()
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".swift", ".py"):
                whole.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return whole.hexdigest()


def known_targets() -> list[str]:
    folders = {path.relative_to(ROOT / "Tests").parts[0].removesuffix("Tests") for path in (ROOT / "Tests").glob("*Tests/**/*.swift")}
    return sorted(name for name in folders if sources(name).is_dir())


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
    # A module's interface is the same with faults and without, so once there is one of each, all can be
    # checked with their faults at once.
    state = digest("Sources", "FakeServer")
    if not BUILT.exists() or BUILT.read_text() != state:
        for target in targets:
            put(target, texts, [])
        print("building without faults", flush=True)
        if errors_of_build():
            return False
        BUILT.write_text(state)
    for number, fault in enumerate((fault for own in chosen.values() for fault in own), 1):
        fault.number = number
    for attempt in range(30):
        for target in targets:
            put(target, texts, chosen[target])
        print(f"building with {sum(map(len, chosen.values()))} faults", flush=True)
        errors = set()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for own in pool.map(errors_of_types, targets):
                errors |= own
        if not errors:
            errors = errors_of_build()
            if not errors:
                return True
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
            print(f"ci/mutants: the sources do not build, and no fault is to blame: {errors}", file=sys.stderr)
            return False
        print(f"  {dropped} do not compile", flush=True)
    return False


def put(target, texts, faults) -> None:
    for path in {path for path in texts if (ROOT / path).is_relative_to(sources(target))}:
        write(TREE / path, finding.applied(texts[path], [fault for fault in faults if fault.path == path]))


def errors_in(output: str):
    return set(re.findall(rf"{re.escape(str(TREE))}/(\S+?):(\d+):\d+: error: ", output))


def errors_of_build():
    made = subprocess.run(
        ["swift", "build", "--build-tests", "--package-path", str(TREE), "--scratch-path", str(BUILD),
         "-debug-info-format", "none"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    errors = errors_in(made.stdout)
    if made.returncode and not errors:
        print(made.stdout[-4000:])
        return {("Package.swift", "0")}
    return errors if made.returncode else set()


def errors_of_types(target):
    """Checks the types of a module alone, by the command that builds it."""
    manifest = (BUILD / "debug.yaml").read_text()
    line = re.search(rf'args: (\["[^"]*swiftc","-module-name","Understudy{target}",.*\])', manifest)
    words = json.loads(line.group(1))
    for option, values in (("-emit-dependencies", 0), ("-emit-module", 0), ("-emit-module-path", 1),
                           ("-output-file-map", 1), ("-incremental", 0), ("-c", 0), ("-enable-batch-mode", 0),
                           ("-index-store-path", 1), ("-parseable-output", 0), ("-serialize-diagnostics", 0)):
        while option in words:
            at = words.index(option)
            del words[at:at + 1 + values]
    made = subprocess.run(words + ["-typecheck", "-suppress-warnings"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    return errors_in(made.stdout)


def mirror(targets) -> None:
    """A copy of the package with the tests of these targets, in which only what changed is written."""
    listed = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "-z"], cwd=ROOT, check=True,
                            stdout=subprocess.PIPE)
    files = [name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]
    # All have the switch, so that what others need is not built anew for other targets.
    switches = [sources(target).relative_to(ROOT) / "Faults+Switch.swift" for target in known_targets()]
    kept = set(files) | {str(path) for path in switches}
    for path in switches:
        (TREE / path).parent.mkdir(parents=True, exist_ok=True)
        write(TREE / path, SWITCH)
    for path in sorted(TREE.rglob("*"), reverse=True):
        if path.is_file() and str(path.relative_to(TREE)) not in kept:
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()
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


def suites() -> list[str]:
    """The types with tests."""
    listed = subprocess.run([program(), "--testing-library", "swift-testing", "--list-tests"], cwd=TREE,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    return sorted(set(re.findall(r"(?m)^(\w+Tests\.[^/(]+)/", listed)))


def limited() -> None:
    # A fault may build up memory without end; what a browser only reserves does not count.
    resource.setrlimit(resource.RLIMIT_DATA, (4 << 30, 4 << 30))


def test(suites: list[str], environment: dict[str, str], limit: float):
    """The exit code, `None` after the limit; the output; the time."""
    command = [program(), "--testing-library", "swift-testing",
               "--filter", f"^({'|'.join(map(re.escape, suites))})/"]
    # Faults crash a lot, and a backtrace takes seconds.
    own = {**os.environ, "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "8",
           "SWIFT_BACKTRACE": "enable=no", **environment}
    begun = time.monotonic()
    printed = WORK / f"output-{threading.get_ident()}.txt"
    with open(printed, "wb") as output:
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
    text = printed.read_text(errors="replace")
    printed.unlink()
    return code, text, time.monotonic() - begun


def reached(targets):
    """For each target its suites, the fast ones first: name, usual time, and the faults that it gets to."""
    def one(suite):
        path = WORK / f"reached-{suite}.txt"
        for attempt in range(2):
            path.unlink(missing_ok=True)
            code, output, usual = test([suite], {"LC_FAULT": "-1", "LC_FAULTS_REACHED": str(path)}, 600)
            numbers = sorted({int(line) for line in path.read_text().split()}) if path.exists() else []
            path.unlink(missing_ok=True)
            if code == 0:
                return suite, usual, numbers
        print(output[-2000:])
        return suite, usual, None

    print("looking for what each suite reaches", flush=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        all_found = list(pool.map(one, suites()))
    return {target: sorted((one for one in all_found if one[0].startswith(f"{target}Tests.")), key=lambda one: one[1])
            for target in targets}


def run(chosen, found, end, seed) -> bool:
    """Tries what has no result yet, the targets in turn, and notes each result at once; whether all are done."""
    done = {(fault.path, fault.number) for fault, _, _ in results(chosen)}
    queues = [[(target, fault) for fault in own] for target, own in chosen.items()]
    waiting = []
    while any(queues):
        waiting += [queue.pop(0) for queue in queues if queue]
    waiting = [one for one in waiting if (one[1].path, one[1].number) not in done]
    noting = threading.Lock()

    def one(pair):
        target, fault = pair
        if end and time.monotonic() > end:
            return False
        outcome, by = tried(fault, found[target])
        with noting:
            with open(RESULTS, "a") as file:
                file.write(json.dumps({"number": fault.number, "outcome": outcome, "by": by}) + "\n")
            report(chosen)
            if outcome != "noticed":
                print(f"  {fault.path}:{fault.line}: {outcome}: {fault.kind}: {fault.source}  [{fault.shown}] {by}",
                      flush=True)
        return True

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return all(list(pool.map(one, waiting)))


def tried(fault, found):
    """What became of a fault, and the test that noticed it."""
    reaching = [one for one in found if one[2] is not None and fault.number in one[2]]
    if not reaching:
        return "not reached", ""
    # Most are noticed by a fast one; the others are run at once.
    fast = [one for one in reaching if one[1] < 2][:12]
    for group in (fast, [one for one in reaching if one not in fast]):
        if not group:
            continue
        usual = sum(one[1] for one in group)
        code, output, _ = test([one[0] for one in group], {"LC_FAULT": str(fault.number)}, 60 + 3 * usual)
        if code != 0:
            issue = re.search(r"✘ Test (.+? (?:recorded an issue.*? at \S+|failed))", output)
            silence = "it hung" if code is None else "it crashed"
            by = issue.group(1) if issue else f"{group[0][0]}…: {silence}"
            return "hang" if code is None else "noticed", by
    return "unnoticed", ""


def results(chosen):
    """Each fault that was tried, its outcome, and the test that noticed it."""
    faults = {fault.number: fault for own in chosen.values() for fault in own}
    lines = RESULTS.read_text().splitlines() if RESULTS.exists() else []
    noted = [json.loads(line) for line in lines]
    return [(faults[one["number"]], one["outcome"], one["by"]) for one in noted]


def shares(chosen):
    """Target, faults, noticed and hung, for each target with results."""
    tried = results(chosen)
    for target, own in chosen.items():
        outcomes = [outcome for fault, outcome, _ in tried if fault in own]
        # A test that hangs does not pass, but it helps nobody to find the fault.
        if outcomes:
            hung = outcomes.count("hang")
            yield target, len(outcomes), outcomes.count("noticed") + hung, hung


def report(chosen) -> None:
    lines = ["| target | faults | noticed | share |", "|---|---|---|---|"]
    rows = list(shares(chosen))
    rows.append(("all", sum(row[1] for row in rows), sum(row[2] for row in rows), 0))
    lines += [f"| {name} | {count} | {noticed} | {100 * noticed // max(1, count)} % |"
              for name, count, noticed, _ in rows]
    tried = results(chosen)
    for outcome, title in (("unnoticed", "No test notices"), ("not reached", "No test gets to"),
                           ("hang", "A test waits in vain for what it says nothing of")):
        own = [fault for fault, one, _ in tried if one == outcome]
        if own:
            lines += ["", f"{title}:", "", "```"]
            lines += [f"{fault.name}   (line {fault.line})" for fault in own] + ["```"]
    REPORT.write_text("\n".join(lines) + "\n")
    (WORK / "noticed.txt").write_text("".join(
        f"{fault.name} — {by}\n" for fault, one, by in tried if one == "noticed"))


def note(chosen, seed: str) -> None:
    commit = subprocess.run(["git", "-c", "safe.directory=*", "rev-parse", "--short", "HEAD"], cwd=ROOT,
                            stdout=subprocess.PIPE, text=True).stdout.strip()
    HISTORY.parent.mkdir(parents=True, exist_ok=True)
    with open(HISTORY, "a") as file:
        for target, count, noticed, hung in shares(chosen):
            file.write(json.dumps({
                "at": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
                "commit": commit, "seed": seed, "target": target, "faults": count, "noticed": noticed,
                "hung": hung}) + "\n")


sys.exit(main())
