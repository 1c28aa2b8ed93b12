#!/usr/bin/env python3
"""metadata.py check | write: version, licence and repository in all manifests are those of metadata.toml.

`check` prints each place that differs and exits 1 if there is one; `write` makes them agree. After a change of the version the
lock files follow with the next build.
"""
import pathlib
import re
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
CRATES = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("crates/*/Cargo.toml"))
CARGO = ["Cargo.toml", "cli/Cargo.toml", *CRATES, "capi/Cargo.toml", "python/Cargo.toml", "js/Cargo.toml"]


def places(data):
    """(file, pattern of a whole line, the line that it must be or None); a missing line follows that of the licence, or the
    priority of a Debian package."""
    repository = data["repository"]
    for path in CARGO:
        yield path, r'^version = ".*?"', f'version = "{data["version"]}"'
        yield path, r'^license = ".*?"', f'license = "{data["license"]}"'
        yield path, r'^repository = ".*?"\n', f'repository = "{repository}"\n' if repository else None
        # What it needs of the packages here.
        for line in re.findall(r'^sevenbit[\w-]* = \{ path = ".*?", version = ', (ROOT / path).read_text(), re.M):
            yield path, rf'^{re.escape(line)}".*?"', f'{line}"{data["version"]}"'
        yield path, r'^homepage = ".*?"\n', f'homepage = "{repository}"\n' if repository else None
    yield "python/pyproject.toml", r'^license = ".*?"', f'license = "{data["license"]}"'
    urls = f'urls = {{ Repository = "{repository}" }}\n' if repository else None
    yield "python/pyproject.toml", r'^urls = .*?\n', urls
    yield "packaging/debian/control", r'^Homepage: .*?\n', f"Homepage: {repository}\n" if repository else None
    yield "capi/Cargo.toml", r'(?<=\[package.metadata.capi.library\]\nname = "sevenbit"\n)version = ".*?"', f'version = "{data["version"]}"'
    for part, number in zip(("MAJOR", "MINOR", "PATCH"), data["version"].split("."), strict=True):
        name = f"pub const SEVENBIT_VERSION_{part}: u32 = "
        yield "capi/src/lib.rs", rf"^{name}\d+;", f"{name}{number};"
    yield "js/package.json", r'^  "version": ".*?"', f'  "version": "{data["version"]}"'
    yield "js/package.json", r'^  "license": ".*?"', f'  "license": "{data["license"]}"'
    yield "js/lib/version.ts", r'^export const version = ".*?";', f'export const version = "{data["version"]}";'
    line = f'  "repository": "{repository}",\n' if repository else None
    yield "js/package.json", r'^  "repository": ".*?",\n', line


def corrected(text, pattern, line):
    """`text` with the first line that matches `pattern` as `line`; with a line more where there was none."""
    found = re.search(pattern, text, re.M)
    if found:
        return text[: found.start()] + (line or "") + text[found.end() :]
    if line is None:
        return text
    licence = re.search(r'^( *"license": ".*?",|license = ".*?"|Priority: optional)\n', text, re.M)
    return text[: licence.end()] + line + text[licence.end() :]


def main(verb):
    data = tomllib.loads((HERE / "metadata.toml").read_text())
    differs = 0
    for path, pattern, line in places(data):
        text = (ROOT / path).read_text()
        right = corrected(text, pattern, line)
        if right == text:
            continue
        differs += 1
        if verb == "write":
            (ROOT / path).write_text(right)
        else:
            print(f"{path}: expected {line.strip() if line else 'no repository'}", file=sys.stderr)
    if verb == "check" and differs:
        sys.exit("packaging/metadata.toml differs from these; packaging/metadata.py write makes them agree")
    print(f"{'written' if verb == 'write' else 'the manifests agree'}: {data['version']}, {data['license']}")


if __name__ == "__main__":
    if sys.argv[1:] not in (["check"], ["write"]):
        sys.exit(__doc__)
    main(sys.argv[1])
