#!/usr/bin/env bash
# Makes the images of the docker vendor from Debian's packages, without any image hub, and gives them to an engine:
#   images/build.sh [--prefix almanac] [--socket path] [--root file.tar]
#       self-contained images. The root file system is kept in file.tar and used again when that exists.
#   images/build.sh --only-root --root file.tar
#       makes file.tar and asks no engine.
#   images/build.sh --from-host [--prefix almanac] [--socket path]
#       for tests, in a second: images without programs, to be started with this machine's /usr bound read-only. They carry
#       the label almanac.host-usr=true. The packages of packages.txt must be installed.
# docs/vendors/docker-images.md says what the images expect.
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
place=$(mktemp -d "${TMPDIR:-/tmp}/almanac-images.XXXXXX")
trap 'rm -rf "$place"' EXIT

# engine PATH [curl's options]: calls the engine, and fails also when the trouble is told at the end of a good answer.
engine() {
  local path=$1; shift
  curl -sS --fail-with-body --unix-socket "$socket" "$@" "http://engine$path" > "$place/answer" \
    || { say "the engine at $socket: $(tail -c 400 "$place/answer" 2>/dev/null)"; return 1; }
  if grep -q '"error"' "$place/answer"; then say "the engine: $(tail -c 400 "$place/answer")"; return 1; fi
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
  tar -C "$here" --owner=0 --group=0 -cf "$place/context.tar" Dockerfile entry
  for role in "${roles[@]}"; do
    engine "/build?t=$prefix/$role:latest&target=$role&buildargs=$arguments&labels=$(encoded "$labels")" \
      -X POST -H 'Content-Type: application/x-tar' -T "$place/context.tar"
  done
}

if [ -n "$from_host" ]; then
  root="$place/root.tar"
  root_from_host "$root"
else
  root=${root:-$place/root.tar}
  if [ -f "$root" ]; then say "using $root"; else root_from_packages "$root"; fi
fi
[ -z "$only_root" ] || exit 0
import_root "$root"
build_roles
say "$(printf "$prefix/%s " "${roles[@]}")are ready${from_host:+, to be started with /usr bound}"
