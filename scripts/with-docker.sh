#!/usr/bin/env bash
# Runs a command with a private container engine: a dockerd in a temporary directory, in network, process and mount
# namespaces that the command shares. The command can reach containers and published ports. Other engines, bridges and
# firewall rules of this machine are not affected, and the namespaces have no access to other networks.
# ALM_TEST_DOCKER_SOCKET is set to the engine's socket. If it is already set, that engine is used instead; otherwise this
# script requires root. Installs Debian's docker.io and docker-registry, the packages that `images/build.sh --from-host`
# requires, and those that ALM_TEST_PACKAGES names, if they are missing.
set -euo pipefail
export PATH="$PATH:/usr/sbin:/sbin"
packages="$(cd "$(dirname "$0")/.." && pwd)/images/packages.txt"

say() { echo "with-docker: $*" >&2; }
answers() { [ "$(curl -s --max-time 5 --unix-socket "$1" http://engine/_ping)" = OK ]; }

missing_packages() {
  command -v curl >/dev/null || echo curl
  command -v ip >/dev/null || echo iproute2
  command -v dockerd >/dev/null || echo docker.io
  command -v docker-registry >/dev/null || echo docker-registry
  command -v iptables >/dev/null || echo iptables
  command -v dpkg-query >/dev/null || return 0
  while read -r package; do
    # Any Node below /usr works, from Debian or not.
    if [ "$package" = nodejs ] && [ -n "$(ls /usr/bin/node /usr/local/bin/node 2>/dev/null)" ]; then continue; fi
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
  done < <(cat "$packages" && printf '%s\n' ${ALM_TEST_PACKAGES:-})
}

install_missing() {
  local missing policy=/usr/sbin/policy-rc.d
  missing=$(missing_packages | sort -u)
  [ -n "$missing" ] || return 0
  say "installing Debian's" $missing
  # Do not start their services on this machine.
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' > "$policy" && chmod +x "$policy"
    trap "rm -f $policy" EXIT
  fi
  (apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=120 $missing) >/dev/null
  if [ -n "$(trap -p EXIT)" ]; then rm -f "$policy"; trap - EXIT; fi
}

# Not every file system supports an overlay on top: another overlay does not, for example.
storage_driver() {
  local try="$1/try"
  mkdir -p "$try"/{lower,upper,work,merged}
  if mount -t overlay overlay -o "lowerdir=$try/lower,upperdir=$try/upper,workdir=$try/work" "$try/merged" 2>/dev/null
  then umount "$try/merged"; echo overlay2; else echo vfs; fi
}

write_settings() {
  cat > "$1/daemon.json" <<END
{
  "data-root": "$1/data", "exec-root": "$1/exec", "pidfile": "$1/pid", "hosts": ["unix://$1/docker.sock"],
  "storage-driver": "$(storage_driver "$1")", "exec-opts": ["native.cgroupdriver=cgroupfs"],
  "cgroup-parent": "/$(basename "$1")", "shutdown-timeout": 2
}
END
}

wait_until_ready() {
  for _ in $(seq 300); do
    if answers "$1/docker.sock"; then return; fi
    kill -0 "$daemon" 2>/dev/null || break
    sleep 0.1
  done
  say "dockerd does not respond:" && tail -n 20 "$1/log" >&2
  exit 1
}

# Runs inside the namespaces. When it exits, the system kills all remaining processes in them.
inside() {
  local place=$1 code=0
  shift
  ip link set lo up
  write_settings "$place"
  dockerd --config-file "$place/daemon.json" >"$place/log" 2>&1 &
  daemon=$!
  wait_until_ready "$place"
  ALM_TEST_DOCKER_SOCKET="$place/docker.sock" DOCKER_HOST="unix://$place/docker.sock" "$@" || code=$?
  kill "$daemon" && wait "$daemon" || true
  exit "$code"
}

clean() {
  # After an interrupt the command and the engine still run. Killing the first process of their namespace kills them too.
  pkill -KILL -P "$namespace" && wait "$namespace" 2>/dev/null || true
  find /sys/fs/cgroup -depth -type d -path "*/$(basename "$place")*" -exec rmdir {} + 2>/dev/null || true
  rm -rf "$place"
}

outside() {
  if [ -n "${ALM_TEST_DOCKER_SOCKET:-}" ]; then
    answers "$ALM_TEST_DOCKER_SOCKET" && exec "$@"
    say "no engine responds at ALM_TEST_DOCKER_SOCKET=$ALM_TEST_DOCKER_SOCKET" && exit 1
  fi
  if [ "$(id -u)" != 0 ]; then
    say 'run as root, or set ALM_TEST_DOCKER_SOCKET to the socket of an engine for tests' && exit 1
  fi
  install_missing
  place=$(mktemp -d /tmp/almanac-docker.XXXXXX)
  setpriv --pdeathsig KILL unshare --net --pid --mount --fork --kill-child --mount-proc \
    bash "$0" --inside "$place" "$@" <&0 &
  namespace=$!
  trap clean EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  wait "$namespace"
}

if [ "${1:-}" = --inside ]; then shift; inside "$@"; else outside "$@"; fi
