#!/usr/bin/env bash
# Installs what the tests with Spark need, if it is missing: Java from Debian, pyspark and the module from Python's
# index and from here, in target/python/spark. With `java` Java alone.
set -euo pipefail
cd "$(dirname "$0")/../../.."

if ! command -v java >/dev/null; then
    sudo=$([ "$(id -u)" = 0 ] || echo sudo)
    $sudo apt-get update -q
    $sudo apt-get install -qy --no-install-recommends openjdk-17-jre-headless
fi
[ "${1:-}" != java ] || exit 0

# What all tests need is installed once: it is found where the others have it.
tests=target/python/test
venv=target/python/spark
[ -x "$tests/bin/pytest" ] || python/install.sh "$tests" test
[ -x "$venv/bin/python" ] || "${PYTHON:-python3}" -m venv "$venv"
packages() { "$1/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))'; }
packages "$PWD/$tests" >"$(packages "$venv")/tests.pth"
exec python/install.sh "$venv" spark,test
