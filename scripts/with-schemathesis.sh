#!/usr/bin/env bash
# Runs a command with SCHEMATHESIS set to the API fuzzer schemathesis, in a private Python environment. The environment is
# created once, in a directory that git ignores. Installs Debian's python3-venv if Python cannot create an environment.
set -euo pipefail

packages=('schemathesis==4.32.5')
place="$(cd "$(dirname "$0")/.." && pwd)/node_modules/.cache/almanac-fuzz"
# Written last, so that an interrupted installation is repeated.
done_mark="$place/installed"

if [ "$(cat "$done_mark" 2>/dev/null)" != "${packages[*]}" ]; then
  rm -rf "$place"
  if ! python3 -c 'import ensurepip, venv' 2>/dev/null && [ "$(id -u)" = 0 ]; then
    echo "with-schemathesis: installing Debian's python3-venv" >&2
    (apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends python3-venv) >/dev/null
  fi
  echo "with-schemathesis: installing ${packages[*]}" >&2
  python3 -m venv "$place"
  "$place/bin/python" -m pip install --quiet --disable-pip-version-check "${packages[@]}"
  echo "${packages[*]}" > "$done_mark"
fi

SCHEMATHESIS="$place/bin/schemathesis" "$@"
