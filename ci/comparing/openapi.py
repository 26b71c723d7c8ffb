"""Imports OpenAPI documents, asks the fake for what they say, and exports the contracts again."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import yaml
from openapi_spec_validator import OpenAPIV30SpecValidator, OpenAPIV31SpecValidator

understudy, programs, work = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
folders = [Path(name) for name in sys.argv[4:]]

# How many documents Schemathesis asks about: those with the most operations of each size.
ASKED_MAX = 60
OPERATIONS_MAX = 30
# The validator takes minutes for larger ones.
VALIDATED_BYTES_MAX = 2_000_000
# A document that the validator accepts may be refused for these reasons.
REFUSED = [
    (r"points outside", "references that leave the document's folder"),
    (r"cannot read .*: no such file", "files that are not there"),
    (r"leads back to itself", "references in a circle"),
    (r"found \.(inf|nan)", "numbers that JSON has not"),
    (r"within the node that it names", "YAML that contains itself"),
    (r"found the key .* again", "keys that appear twice"),
    (r"as a merge key|found a tag|as a key", "YAML that JSON has not"),
]
# Checks of answers to requests that the document allows. The others get a 400, which few documents have.
CHECKS = "response_schema_conformance,status_code_conformance,content_type_conformance,response_headers_conformance"
METHODS = {"get", "put", "post", "delete", "options", "head", "patch"}

found: Counter[str] = Counter()
failures: list[str] = []


def fail(text: str) -> None:
    failures.append(text)


def run(*words: object, timeout: int = 300) -> subprocess.CompletedProcess:
    return subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, errors="replace", timeout=timeout, cwd=work)


def documents() -> list[Path]:
    names = []
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix not in (".yaml", ".yml", ".json") or not path.is_file():
                continue
            start = path.read_bytes()[:4000]
            if re.search(rb'^\s*\{?\s*"?openapi"?\s*:\s*["\']?3\.[01]', start, re.M):
                names.append(path)
    return names


def parsed(path: Path) -> dict | None:
    """The document, where the validator accepts it."""
    if path.stat().st_size > VALIDATED_BYTES_MAX:
        return None
    try:
        text = path.read_text()
        read = json.loads(text) if path.suffix == ".json" else yaml.load(text, yaml.CSafeLoader)
        validator = OpenAPIV31SpecValidator if str(read["openapi"]).startswith("3.1") else OpenAPIV30SpecValidator
        validator(read, base_uri=path.as_uri()).validate()
        return read
    except Exception:  # noqa: BLE001: whatever is wrong with it
        return None


def imported(number: int, path: Path) -> Path | None:
    """Imports a document; returns the folder of contracts if there are any."""
    into = work / "contracts" / str(number)
    result = run(understudy, "import", path, "--contracts", into, "--upstream", f"d{number}")
    if result.returncode == 2:
        if not result.stderr.startswith("understudy: error: "):
            fail(f"{path}: {result.stderr[-300:]}")
        reason = next((name for pattern, name in REFUSED if re.search(pattern, result.stderr)), None)
        if reason is None and parsed(path) is not None:
            fail(f"{path} is valid, and refused: {result.stderr}")
        found["refused"] += 1
        found[f"refused: {reason or 'not valid'}"] += 1
        return None
    if result.returncode != 0:
        fail(f"{path}: exit code {result.returncode}: {result.stderr[-300:]}")
        return None
    found["imported"] += 1
    if not into.exists():
        found["imported: without operations"] += 1
        return None
    lint = run(understudy, "lint", into)
    if lint.returncode != 0:
        fail(f"{path}: lint: {(lint.stdout + lint.stderr)[:500]}")
        return None
    found["lint is clean"] += 1
    again = run(understudy, "import", path, "--contracts", into, "--upstream", f"d{number}", "--dry-run")
    if not again.stdout.rstrip().endswith("nothing changed"):
        fail(f"{path}: another import changes: {again.stdout[-300:]}")
    return into


def check_export(number: int, into: Path, path: Path) -> None:
    exported = work / "exports" / f"{number}.json"
    result = run(understudy, "export", "openapi", into, "--output", exported)
    if result.returncode != 0:
        return fail(f"{path}: export: {result.stderr[:300]}")
    try:
        if exported.stat().st_size <= VALIDATED_BYTES_MAX:
            OpenAPIV31SpecValidator(json.loads(exported.read_text())).validate()
            found["exported, valid"] += 1
    except Exception as error:  # noqa: BLE001
        return fail(f"{path}: the export is not valid: {str(error)[:300]}")
    back = work / "back" / str(number)
    run(understudy, "import", exported, "--contracts", back, "--upstream", f"d{number}")
    for contract in sorted((into / f"d{number}").glob("*.json")):
        if contract.name == "upstream.json":
            continue
        other = back / f"d{number}" / contract.name
        if not other.exists() or json.loads(other.read_text()) != json.loads(contract.read_text()):
            return fail(f"{path}: {contract.name} does not come back")
    found["exported, and imported as it was"] += 1


def operations(document: dict) -> list[dict]:
    items = [item for item in (document.get("paths") or {}).values() if isinstance(item, dict)]
    return [item[method] for item in items for method in METHODS if isinstance(item.get(method), dict)]


def is_askable(document: dict | None) -> bool:
    """Whether Schemathesis can tell right answers from wrong ones: each operation has some."""
    if document is None:
        return False
    all_of_it = operations(document)
    return 0 < len(all_of_it) <= OPERATIONS_MAX and all(
        isinstance(each.get("responses"), dict)
        and any(key[0] in "2345d" for key in map(str, each["responses"])) for each in all_of_it)


def ask(number: int, into: Path, path: Path) -> None:
    """Serves the contracts of a document, and has Schemathesis ask for what it says."""
    server = subprocess.Popen(
        [understudy, "serve", into, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        port = None
        for line in server.stdout:
            if match := re.search(r"listening on http://127\.0\.0\.1:(\d+)", line):
                port = match[1]
                break
        upstream = json.loads((into / f"d{number}" / "upstream.json").read_text())
        base = urlsplit(upstream.get("baseURL", "")).path
        result = run(
            programs / "st", "run", path, "--url", f"http://127.0.0.1:{port}/d{number}{base}", "--checks", CHECKS,
            "--mode", "positive", "--max-examples", "10", "--seed", "1", "--phases", "examples,coverage,fuzzing",
            "--no-color", "--suppress-health-check", "all", "--request-timeout", "10", timeout=600)
        text = result.stdout + result.stderr
        if "FAILURES" in text:
            fail(f"{path}: Schemathesis: {text[text.index('FAILURES'):][:1500]}")
        elif result.returncode != 0 and "No operations" not in text:
            found["asked: Schemathesis cannot"] += 1
        else:
            found["asked, without a complaint"] += 1
            if match := re.search(r"(\d+) generated", text):
                found["requests by Schemathesis"] += int(match[1])
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()


for name in ("contracts", "exports", "back"):
    shutil.rmtree(work / name, ignore_errors=True)
    (work / name).mkdir(parents=True)
every = documents()
if not every:
    sys.exit("ci/compare openapi: no OpenAPI documents")
with ThreadPoolExecutor(os.cpu_count()) as pool:
    results = list(pool.map(lambda each: imported(*each), enumerate(every)))
    made = [(number, into, path) for number, (into, path) in enumerate(zip(results, every)) if into]
    list(pool.map(lambda each: check_export(*each), made))
    askable = [each for each in made if is_askable(parsed(each[2]))]
    # Evenly from the smallest to the largest.
    askable.sort(key=lambda each: (len(operations(parsed(each[2]))), str(each[2])))
    step = max(1, len(askable) // ASKED_MAX)
    list(pool.map(lambda each: ask(*each), askable[::step][:ASKED_MAX]))

print(f"{len(every)} documents")
for name, count in sorted(found.items()):
    print(f"  {name:50} {count:6}")
for text in failures[:40]:
    print(f"FAILED {text}\n")
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
