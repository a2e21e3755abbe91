#!/usr/bin/env bash
# Runs a command with SCHEMATHESIS set to the API fuzzer schemathesis, in a private Python environment.
set -euo pipefail
. "$(dirname "$0")/python-environment.sh"

python_environment fuzz 'schemathesis==4.32.5'
SCHEMATHESIS="$place/bin/schemathesis" "$@"
