#!/usr/bin/env bash
# Installs what the tests with Spark need, if it is missing: Java from Debian, pyspark and the module from Python's
# index and from here, in target/python/spark.
set -euo pipefail
cd "$(dirname "$0")/../../.."

if ! command -v java >/dev/null; then
    sudo=$([ "$(id -u)" = 0 ] || echo sudo)
    $sudo apt-get update -q
    $sudo apt-get install -qy --no-install-recommends openjdk-17-jre-headless
fi
venv=target/python/spark
export CARGO_TARGET_DIR="$PWD/target"
[ -x "$venv/bin/python" ] || "${PYTHON:-python3}" -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check './python[spark,test]'
