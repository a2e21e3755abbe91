#!/bin/bash
# Exits with 0 if the container is ready; a replica must be connected to its primary. Otherwise prints the reason.
. /opt/almanac/entry/common.sh

port_open() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null || fail "port $1 is not open"; }

ready_postgres() {
  local bin
  bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
  "$bin/pg_isready" -q -h /run/postgresql || fail 'PostgreSQL does not respond'
  [ "${DATABASE_ROLE:-primary}" = replica ] || return 0
  [ "$(as postgres "$bin/psql" -h /run/postgresql -Atc 'SELECT status FROM pg_stat_wal_receiver')" = streaming ] \
    || fail 'the replica is not connected to its primary'
}

ready_mariadb() {
  local query=(mariadb --no-defaults --socket=/run/mysqld/mysqld.sock -e)
  "${query[@]}" 'SELECT 1' >/dev/null 2>&1 || fail 'MariaDB does not respond'
  [ "${DATABASE_ROLE:-primary}" = replica ] || return 0
  [ "$("${query[@]}" 'SHOW SLAVE STATUS\G' | grep -cE 'Slave_(IO|SQL)_Running: Yes')" = 2 ] \
    || fail 'the replica is not connected to its primary'
}

ready_redis() {
  local state
  state=$(REDISCLI_AUTH=$(secret CACHE_PASSWORD) redis-cli --no-auth-warning info replication) || fail 'Redis does not respond'
  [ "${CACHE_ROLE:-primary}" = replica ] || { grep -q role:master <<<"$state" || fail 'Redis is still loading'; return 0; }
  grep -q master_link_status:up <<<"$state" || fail 'the replica is not connected to its primary'
}

case $ALM_ROLE in
  instance) port_open 22 ;;
  haproxy) [ "$(cat /proc/1/comm)" = haproxy ] || fail 'there is no configuration yet' ;;
  memcached) port_open 11211 ;;
  *) "ready_$ALM_ROLE" ;;
esac
