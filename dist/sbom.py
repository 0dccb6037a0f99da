"""Writes what a program is built from, as CycloneDX 1.5: sbom.py TARGET FEATURES > FILE.

Of Cargo.lock alone: the same commit gives the same bytes.
"""

import json
import subprocess
import sys

target, features = sys.argv[1:]
words = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target, "--features", features]
metadata = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
found, todo = set(), [metadata["resolve"]["root"]]
while todo:
    package = todo.pop()
    if package not in found:
        found.add(package)
        # What tests alone need is in no program.
        todo += [dep["pkg"] for dep in nodes[package]["deps"] if any(kind["kind"] != "dev" for kind in dep["dep_kinds"])]


def component(package):
    kind = "application" if package["id"] == metadata["resolve"]["root"] else "library"
    known = {"type": kind, "name": package["name"], "version": package["version"]}
    if package["license"]:
        known["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    return known | {"purl": f"pkg:cargo/{package['name']}@{package['version']}"}


components = sorted((component(package) for package in metadata["packages"] if package["id"] in found),
                    key=lambda known: (known["type"], known["purl"]))
document = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
            "metadata": {"component": components[0]}, "components": components[1:]}
print(json.dumps(document, indent=1))
