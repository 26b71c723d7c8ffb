"""copies.py CONTRACTS COUNT FOLDER: writes contracts of our own many times over, as upstreams of other names."""

import json
import pathlib
import shutil
import sys

contracts, count, folder = pathlib.Path(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3])
shutil.rmtree(folder, ignore_errors=True)
names = sorted(path.parent.name for path in contracts.glob("*/upstream.json"))
for name in names:
    for number in range(count):
        copy = folder / f"{name}-{number}"
        shutil.copytree(contracts / name, copy)
        upstream = json.loads((copy / "upstream.json").read_text())
        # Two upstreams cannot have the same host.
        upstream["hosts"] = [f"{name}-{number}.example.com"]
        # A secret's variable has the name of its upstream.
        start = f"UNDERSTUDY_{name.upper().replace('-', '_')}_"
        (copy / "upstream.json").write_text(json.dumps(upstream).replace(start, f"{start}{number}_"))
consumers = json.loads((contracts / "consumers.json").read_text())
for consumer in consumers.values():
    if isinstance(consumer, dict) and "upstreams" in consumer:
        consumer["upstreams"] = [f"{name}-{number}" for name in consumer["upstreams"] for number in range(count)]
(folder / "consumers.json").write_text(json.dumps(consumers))
