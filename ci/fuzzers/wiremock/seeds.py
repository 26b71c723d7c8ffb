"""Writes a seed for each stub that is compared with WireMock: FOLDER of mappings, FOLDER of seeds."""

import json
import sys
from pathlib import Path

mappings, seeds = map(Path, sys.argv[1:])
seeds.mkdir(parents=True, exist_ok=True)
paths = sorted(mappings.glob("*.json"))
if not paths:
    sys.exit(f"ci/fuzz: no stubs in {mappings}")
for path in paths:
    for number, stub in enumerate(json.loads(path.read_bytes())["mappings"]):
        (seeds / f"{path.stem}-{number}").write_text(json.dumps({"mappings": [stub]}))
