#!/bin/sh
# Installs the Almanac agent on this server, starts it and waits until it is ready.
# Everything is in functions called from the last line, so that a partial download does nothing.
set -u
server=__SERVER_URL__
sha256=__AGENT_SHA256__
# For tests: all files are written below this directory.
root=${ALM_INSTALL_ROOT:-}
stack='' flag='' token_from='' token_file='' region='' instance='' wait_seconds=900
home=$root/opt/almanac
ready=$root/run/almanac/ready

say() { echo "almanac: $*"; }
fail() { echo "almanac: $*" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

usage() {
  fail 'usage: install.sh --stack <id> --flag <layer> (--token-from ssm:<parameter> | --token-from oos:<secret parameter> | --token-file <path>)
  [--server <address>] [--region <region>] [--instance <id>] [--wait <seconds>]'
}

read_options() {
  while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || usage
    case $1 in
      --server) server=$2 ;;
      --stack) stack=$2 ;;
      --flag) flag=$2 ;;
      --token-from) token_from=$2 ;;
      --token-file) token_file=$2 token_from=file:$2 ;;
      --region) region=$2 ;;
      --instance) instance=$2 ;;
      --wait) wait_seconds=$2 ;;
      *) usage ;;
    esac
    shift 2
  done
  [ -n "$stack" ] && [ -n "$token_from" ] || usage
  case $token_from in ssm:?* | oos:?* | file:/*) ;; *) usage ;; esac
  [ -z "$token_file" ] || [ -r "$token_file" ] || fail "cannot read $token_file"
}

node_is_new_enough() { has node && node -e 'process.exit(process.versions.node.split(".")[0] < 18 ? 1 : 0)'; }
find_engine() {
  for engine in "$root/var/run/docker.sock" "$root/run/podman/podman.sock"; do
    if [ -S "$engine" ]; then return 0; fi
  done
  return 1
}

# Missing packages, one per line: name in Debian, in Fedora, in Alpine.
missing() {
  node_is_new_enough || echo nodejs nodejs nodejs
  find_engine || has dockerd || echo docker.io docker docker
  has git || echo git git git
  has ssh || echo openssh-client openssh-clients openssh-client
  has curl || echo curl curl curl
  has tar || echo tar tar tar
}

# Each package is a separate word, so the lists are not quoted.
# shellcheck disable=SC2046,SC2086
install_packages() {
  list=$(missing)
  [ -n "$list" ] || return 0
  if has apt-get; then
    packages=$(echo "$list" | cut -d ' ' -f 1)
    say "installing" $packages
    apt-get update >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages >/dev/null
  elif has dnf; then
    packages=$(echo "$list" | cut -d ' ' -f 2)
    say "installing" $packages
    dnf install -y $packages >/dev/null
  elif has apk; then
    packages=$(echo "$list" | cut -d ' ' -f 3)
    say "installing" $packages
    apk add --no-cache $packages >/dev/null
  else
    fail "missing packages, and no apt-get, dnf or apk to install them:" $(echo "$list" | cut -d ' ' -f 1)
  fi || fail "cannot install packages:" $packages
  node_is_new_enough || fail 'Node.js 18 or later is required, and the packages of this system are older. Install it first.'
}

start_engine() {
  find_engine && return 0
  if has systemctl && [ -d "$root/run/systemd/system" ]; then systemctl enable --now docker >/dev/null 2>&1
  elif has rc-service; then rc-update add docker default >/dev/null 2>&1; rc-service docker start >/dev/null 2>&1
  else (dockerd >"$root/var/log/dockerd.log" 2>&1 &)
  fi
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    find_engine && return 0
    sleep 1
  done
  fail 'the container engine did not start: /var/run/docker.sock not found'
}

download() {
  mkdir -p "$home"
  curl -fsSL --retry 5 -o "$home/alm-agent.new" "$server/agent/alm-agent.mjs" ||
    fail "cannot download the agent from $server"
  echo "$sha256  $home/alm-agent.new" | sha256sum -c - >/dev/null 2>&1 ||
    fail 'checksum mismatch: the downloaded agent does not match this script'
  chmod 755 "$home/alm-agent.new"
  mv "$home/alm-agent.new" "$home/alm-agent.mjs"
  mkdir -p "$root/usr/local/bin"
  ln -sf "$home/alm-agent.mjs" "$root/usr/local/bin/alm-agent"
}

# text NAME VALUE: prints a member of a JSON object.
text() { printf '  "%s": "%s",\n' "$1" "$(printf '%s' "$2" | sed 's/[\\"]/\\&/g')"; }

# The metadata service of Alibaba Cloud, where tokens are in OOS, has another address and other names of headers.
metadata_address() {
  case $cloud in
    alicloud) address=http://100.100.100.200 header=X-aliyun-ecs-metadata-token-ttl-seconds ;;
    *) address=http://169.254.169.254 header=X-aws-ec2-metadata-token-ttl-seconds ;;
  esac
  if curl -fs --noproxy '*' -m 2 -X PUT -H "$header: 60" "$address/latest/api/token" >/dev/null
  then echo "\"$address\""; else echo null; fi
}

write_settings() {
  case $token_from in oos:*) cloud=alicloud ;; *) cloud=aws ;; esac
  (
    umask 077
    {
      echo '{'
      text server "$server"
      text stackId "$stack"
      text flag "$flag"
      text tokenFrom "$token_from"
      [ -z "$region" ] || text region "$region"
      [ -z "$instance" ] || text instanceId "$instance"
      text cloud "$cloud"
      text engine "$engine"
      text stateDirectory "$root/var/lib/almanac"
      text readyFile "$ready"
      echo "  \"metadata\": $(metadata_address)"
      echo '}'
    } >"$home/agent.json.new" && mv "$home/agent.json.new" "$home/agent.json"
  ) || fail "cannot write $home/agent.json"
}

# The directory of persistent files, if the caller of this script has mounted one.
storage_line() {
  [ -z "${ALM_AGENT_STORAGE_DIR:-}" ] || echo "Environment=ALM_AGENT_STORAGE_DIR=$ALM_AGENT_STORAGE_DIR"
}

write_unit() {
  cat >"$root/etc/systemd/system/alm-agent.service" <<END
[Unit]
Description=Almanac agent
Wants=network-online.target
After=network-online.target docker.service

[Service]
$(storage_line)
ExecStart=$(command -v node) $home/alm-agent.mjs run --settings $home/agent.json
Restart=always
RestartSec=2
RuntimeDirectory=almanac
KillMode=mixed
TimeoutStopSec=20

[Install]
WantedBy=multi-user.target
END
}

start_agent() {
  rm -f "$ready"
  if has systemctl && [ -d "$root/run/systemd/system" ]; then
    mkdir -p "$root/etc/systemd/system"
    write_unit
    { systemctl daemon-reload && systemctl enable alm-agent >/dev/null 2>&1 && systemctl restart alm-agent; } ||
      fail 'the agent did not start; run: systemctl status alm-agent'
    return
  fi
  mkdir -p "$root/var/log" "$root/run"
  pid_file=$root/run/alm-agent.pid
  if [ -f "$pid_file" ]; then kill "$(cat "$pid_file")" 2>/dev/null; fi
  # The inner shell expands the variables.
  # shellcheck disable=SC2016
  nohup sh -c 'trap "kill \$agent; exit" TERM
    while :; do node "$1" run --settings "$2" & agent=$!; wait $agent; sleep 2; done' \
    alm-agent "$home/alm-agent.mjs" "$home/agent.json" >>"$root/var/log/alm-agent.log" 2>&1 </dev/null &
  echo $! >"$pid_file"
}

wait_until_ready() {
  say 'agent started; waiting until it is ready'
  waited=0
  until [ -f "$ready" ]; do
    if [ "$waited" -ge "$wait_seconds" ]; then
      node "$home/alm-agent.mjs" status --settings "$home/agent.json" >&2
      fail "timed out: not ready after $wait_seconds s"
    fi
    sleep 1
    waited=$((waited + 1))
  done
  say 'ready'
}

main() {
  read_options "$@"
  [ "$(id -u)" = 0 ] || fail 'permission denied: run this script as root'
  install_packages
  start_engine
  download
  write_settings
  start_agent
  wait_until_ready
}

main "$@"
