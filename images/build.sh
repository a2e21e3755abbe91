#!/usr/bin/env bash
# Builds the images of the docker vendor from Debian packages, without an image registry, and loads them into an engine:
#   images/build.sh [--prefix almanac] [--socket path] [--root file.tar]
#       Builds self-contained images. Keeps the root file system in file.tar, and reuses that file if it exists.
#   images/build.sh --only-root --root file.tar
#       Builds file.tar only. Needs no engine.
#   images/build.sh --from-host [--prefix almanac] [--socket path]
#       Builds images without programs, for tests, in a second. Containers mount this machine's /usr read-only. The images
#       have the label almanac.host-usr=true. The packages of packages.txt must be installed.
# docs/vendors/docker-images.md describes the images.
set -euo pipefail
export PATH="$PATH:/usr/sbin:/sbin"
here=$(cd "$(dirname "$0")" && pwd)
roles=(instance haproxy postgres mariadb redis memcached)

prefix=almanac socket= root= from_host= only_root=
while [ $# -gt 0 ]; do
  case $1 in
    --prefix) prefix=$2; shift 2 ;;
    --socket) socket=$2; shift 2 ;;
    --root) root=$2; shift 2 ;;
    --from-host) from_host=yes; shift ;;
    --only-root) only_root=yes; shift ;;
    *) sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0" >&2; exit 2 ;;
  esac
done
docker_host=${DOCKER_HOST:-unix:///var/run/docker.sock}
socket=${socket:-${ALM_TEST_DOCKER_SOCKET:-${docker_host#unix://}}}

say() { echo "build: $*" >&2; }
work=$(mktemp -d "${TMPDIR:-/tmp}/almanac-images.XXXXXX")
trap 'rm -rf "$work"' EXIT

# engine PATH [curl options]: sends a request. Also fails if a response with a good status ends with an error.
engine() {
  local path=$1; shift
  curl -sS --fail-with-body --unix-socket "$socket" "$@" "http://engine$path" > "$work/response" \
    || { say "error from the engine at $socket: $(tail -c 400 "$work/response" 2>/dev/null)"; return 1; }
  if grep -q '"error"' "$work/response"; then say "error from the engine: $(tail -c 400 "$work/response")"; return 1; fi
}
encoded() { local text=${1//\{/%7B}; text=${text//\}/%7D}; text=${text//\"/%22}; printf '%s' "${text//:/%3A}"; }

. "$here/root-from-packages.sh"
. "$here/root-from-host.sh"

import_root() {
  engine "/images/create?fromSrc=-&repo=$prefix/root&tag=latest" -X POST -H 'Content-Type: application/x-tar' -T "$1"
}

build_roles() {
  local role labels='{}' arguments
  [ -z "$from_host" ] || labels='{"almanac.host-usr":"true"}'
  arguments=$(encoded "{\"ROOT\":\"$prefix/root:latest\"}")
  tar -C "$here" --owner=0 --group=0 -cf "$work/context.tar" Dockerfile entry
  for role in "${roles[@]}"; do
    engine "/build?t=$prefix/$role:latest&target=$role&buildargs=$arguments&labels=$(encoded "$labels")" \
      -X POST -H 'Content-Type: application/x-tar' -T "$work/context.tar"
  done
}

if [ -n "$from_host" ]; then
  root="$work/root.tar"
  root_from_host "$root"
else
  root=${root:-$work/root.tar}
  if [ -f "$root" ]; then say "using $root"; else root_from_packages "$root"; fi
fi
[ -z "$only_root" ] || exit 0
import_root "$root"
build_roles
say "$(printf "$prefix/%s " "${roles[@]}")are ready${from_host:+; containers must mount /usr}"
