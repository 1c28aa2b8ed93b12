#!/usr/bin/env bash
# The tests with real Spark, on this machine: python/tests/spark/test.sh. Their needs are installed first; the
# command, whose octets are compared, is built unless SEVENBIT names it.
set -euo pipefail
cd "$(dirname "$0")/../../.."

python/tests/spark/install.sh
[ -n "${SEVENBIT:-}" ] || cargo build --quiet --release --bin sevenbit
cd python
../target/python/spark/bin/python -m mypy --cache-dir ../target/python/mypy-spark lib measure/spark.py
exec ../target/python/spark/bin/python -m pytest -q tests/spark "$@"
