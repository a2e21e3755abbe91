#!/usr/bin/env bash
# Runs a command with ALM_TEST_PYTHON and CFN_LINT set to a Python environment with the AWS simulator moto and the template
# linter cfn-lint. The environment is created once, in a directory that git ignores. The tests start and stop the simulators.
# Installs Debian's python3-venv if Python cannot create an environment.
set -euo pipefail

packages=('moto[server]==5.2.3' 'cfn-lint==1.51.5')
place="$(cd "$(dirname "$0")/.." && pwd)/node_modules/.cache/almanac-aws"
# Written last, so that an interrupted installation is repeated.
done_mark="$place/installed"

if [ "$(cat "$done_mark" 2>/dev/null)" != "${packages[*]}" ]; then
  rm -rf "$place"
  if ! python3 -c 'import ensurepip, venv' 2>/dev/null && [ "$(id -u)" = 0 ]; then
    echo "with-moto: installing Debian's python3-venv" >&2
    (apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends python3-venv) >/dev/null
  fi
  echo "with-moto: installing ${packages[*]}" >&2
  python3 -m venv "$place"
  "$place/bin/python" -m pip install --quiet --disable-pip-version-check "${packages[@]}"
  echo "${packages[*]}" > "$done_mark"
fi

ALM_TEST_PYTHON="$place/bin/python" CFN_LINT="$place/bin/cfn-lint" "$@"
