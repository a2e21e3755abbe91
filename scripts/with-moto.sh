#!/usr/bin/env bash
# Runs a command with ALM_TEST_PYTHON and CFN_LINT set to a Python environment with the AWS simulator moto and the template
# linter cfn-lint. The tests start and stop the simulators.
set -euo pipefail
. "$(dirname "$0")/python-environment.sh"

python_environment aws 'moto[server]==5.2.3' 'cfn-lint==1.51.5'
ALM_TEST_PYTHON="$place/bin/python" CFN_LINT="$place/bin/cfn-lint" "$@"
