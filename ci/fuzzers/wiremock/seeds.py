"""Writes a seed for each stub that is compared with WireMock: FOLDER of mappings, FOLDER of seeds."""

import json
import sys
from pathlib import Path

mappings, seeds = map(Path, sys.argv[1:])
seeds.mkdir(parents=True, exist_ok=True)
for path in sorted(mappings.glob("*.json")):
    for number, stub in enumerate(json.loads(path.read_bytes())["mappings"]):
        (seeds / f"{path.stem}-{number}").write_text(json.dumps({"mappings": [stub]}))
