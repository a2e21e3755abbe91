# For other scripts to include: `python_environment <name> <package>…` sets `place` to a Python environment with the packages. It is
# created once, in a directory that git ignores. Installs Debian's python3-venv if Python cannot create an environment.
python_environment() {
  local name="$1"
  shift
  place="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/node_modules/.cache/almanac-$name"
  # Written last, so that an interrupted installation is repeated.
  local done_mark="$place/installed"
  [ "$(cat "$done_mark" 2>/dev/null)" != "$*" ] || return 0
  rm -rf "$place"
  if ! python3 -c 'import ensurepip, venv' 2>/dev/null && [ "$(id -u)" = 0 ]; then
    echo "installing Debian's python3-venv" >&2
    (apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends python3-venv) >/dev/null
  fi
  echo "installing $*" >&2
  python3 -m venv "$place"
  "$place/bin/python" -m pip install --quiet --disable-pip-version-check "$@"
  echo "$*" > "$done_mark"
}
