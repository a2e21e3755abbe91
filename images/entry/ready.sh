#!/bin/bash
# Ends with 0 when the container does its work; a replica does when it follows its primary. Otherwise says what it lacks.
. /opt/almanac/entry/common.sh

port_open() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null || fail "nothing listens on port $1"; }

ready_postgres() {
  local bin
  bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
  "$bin/pg_isready" -q -h /run/postgresql || fail 'PostgreSQL does not answer'
  [ "${DATABASE_ROLE:-primary}" = replica ] || return 0
  [ "$(as postgres "$bin/psql" -h /run/postgresql -Atc 'SELECT status FROM pg_stat_wal_receiver')" = streaming ] \
    || fail 'the replica does not follow its primary'
}

ready_mariadb() {
  local ask=(mariadb --no-defaults --socket=/run/mysqld/mysqld.sock -e)
  "${ask[@]}" 'SELECT 1' >/dev/null 2>&1 || fail 'MariaDB does not answer'
  [ "${DATABASE_ROLE:-primary}" = replica ] || return 0
  [ "$("${ask[@]}" 'SHOW SLAVE STATUS\G' | grep -cE 'Slave_(IO|SQL)_Running: Yes')" = 2 ] \
    || fail 'the replica does not follow its primary'
}

ready_redis() {
  local state
  state=$(REDISCLI_AUTH=$(secret CACHE_PASSWORD) redis-cli --no-auth-warning info replication) || fail 'Redis does not answer'
  [ "${CACHE_ROLE:-primary}" = replica ] || { grep -q role:master <<<"$state" || fail 'Redis is still loading'; return 0; }
  grep -q master_link_status:up <<<"$state" || fail 'the replica does not follow its primary'
}

case $ALM_ROLE in
  instance) port_open 22 ;;
  haproxy) [ "$(cat /proc/1/comm)" = haproxy ] || fail 'there is no configuration yet' ;;
  memcached) port_open 11211 ;;
  *) "ready_$ALM_ROLE" ;;
esac
