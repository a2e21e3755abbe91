#!/usr/bin/env bash
# Runs a command with TEST_POSTGRES_URL set to a private PostgreSQL server in a temporary directory, which is removed
# afterwards. It does not wait for the disk unless POSTGRES_FSYNC=on. Installs Debian's postgresql and pgbouncer if there is none.
set -euo pipefail

find_bin() { ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1; }
if [ ! -x "$(find_bin)/initdb" ] || ! command -v pgbouncer >/dev/null; then
  echo "with-postgres: installing Debian's postgresql and pgbouncer" >&2
  (apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql pgbouncer) >/dev/null
fi
bin=$(find_bin)

place=$(mktemp -d /tmp/almanac-postgres.XXXXXX)
# PostgreSQL refuses to run as root.
if [ "$(id -u)" = 0 ]; then as() { runuser -u postgres -- "$@"; }; chown postgres "$place"; else as() { "$@"; }; fi
stop() { as "$bin/pg_ctl" -D "$place/data" -m immediate stop >/dev/null 2>&1 || true; rm -rf "$place"; }
trap stop EXIT

free_port() { node -e 'const s=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})'; }
port=$(free_port)
cd "$place" && as "$bin/initdb" -D "$place/data" -U almanac -A trust >/dev/null && cd - >/dev/null
as "$bin/pg_ctl" -D "$place/data" -l "$place/log" -w start \
  -o "-p $port -k $place -c listen_addresses=127.0.0.1 -c max_connections=400 -c fsync=${POSTGRES_FSYNC:-off} -c shared_preload_libraries=pg_stat_statements" >/dev/null || { cat "$place/log" >&2; exit 1; }

TEST_POSTGRES_BIN="$bin" TEST_POSTGRES_URL="postgres://almanac@127.0.0.1:$port/postgres" "$@"
