#!/usr/bin/env python3
"""licences.py MANIFEST TARGET [FEATURE OPTION]...: the licences of all crates that are linked, on standard output.

Each text is printed once, below the crates that it belongs to. A crate whose package has no text is named with the licence
that its manifest gives.
"""
import json
import pathlib
import re
import subprocess
import sys

NAMES = re.compile(r"(licen[cs]e|copying|copyright|notice|unlicense)", re.I)


def cargo(*words):
    return subprocess.run(["cargo", *words], check=True, capture_output=True, text=True).stdout


def linked(manifest, options):
    """(name, version) of the crates that end up in it: no build scripts, no macros."""
    words = ["tree", "--manifest-path", manifest, "--locked", "--edges", "normal,no-proc-macro", "--prefix", "none"]
    lines = cargo(*words, "--format", "{p}", *options).splitlines()
    return {tuple(line.split()[:2]) for line in lines if line}


def texts(package):
    folder = pathlib.Path(package["manifest_path"]).parent
    files = sorted(path for path in folder.iterdir() if path.is_file() and NAMES.match(path.name))
    return [path.read_text(errors="replace").strip() for path in files if path.suffix != ".rs"]


def main(manifest, target, options):
    data = json.loads(cargo("metadata", "--manifest-path", manifest, "--locked", "--format-version", "1", *options))
    wanted = linked(manifest, ["--target", target, *options])
    packages = [package for package in data["packages"] if (package["name"], "v" + package["version"]) in wanted]
    shared = {}
    print("Crates that are linked, and their licences; Rust's standard library is MIT OR Apache-2.0.\n")
    for package in sorted(packages, key=lambda package: package["name"]):
        if package["source"] is None:
            continue
        name = f"{package['name']} {package['version']}"
        print(f"{name}: {package['license']}")
        for text in texts(package):
            shared.setdefault(text, []).append(name)
    for text, names in shared.items():
        print("\n" + "=" * 80 + "\n" + ", ".join(names) + "\n\n" + text)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
