#!/bin/bash
# MariaDB, primary or GTID replica. Data is created in a temporary directory and renamed, so a kill is harmless.
. /opt/almanac/entry/common.sh
read_database_settings
main=$data/main
new=$data/new
run=/run/mysqld
replication_user=replicator

quoted() { local text=${1//\\/\\\\}; printf "'%s'" "${text//\'/\'\'}"; }
named() { printf '`%s`' "${1//\`/\`\`}"; }

# Data that was restored from another stack has the passwords of that one.
new_passwords() {
  if [ "${DATABASE_RESTORED:-}" != true ]; then return; fi
  echo "ALTER USER $1 IDENTIFIED BY $(quoted "$password"), $2 IDENTIFIED BY $(quoted "$replication_password");"
}

# Run at every start, before clients can connect. One statement per line.
first_statements() {
  local user="$(quoted "$DATABASE_USER")@'%'" replicator="'$replication_user'@'%'"
  cat <<END
CREATE DATABASE IF NOT EXISTS $(named "$DATABASE_NAME") CHARACTER SET utf8mb4;
CREATE USER IF NOT EXISTS $user IDENTIFIED BY $(quoted "$password");
GRANT ALL PRIVILEGES ON $(named "$DATABASE_NAME").* TO $user;
CREATE USER IF NOT EXISTS $replicator IDENTIFIED BY $(quoted "$replication_password");
$(new_passwords "$user" "$replicator")
GRANT REPLICATION SLAVE, BINLOG MONITOR, SELECT, RELOAD, PROCESS, LOCK TABLES, SHOW VIEW, EVENT, TRIGGER ON *.* TO $replicator;
END
}

follow_primary() {
  cat <<END
CHANGE MASTER TO MASTER_HOST=$(quoted "$DATABASE_PRIMARY_HOST"), MASTER_USER='$replication_user',
  MASTER_PASSWORD=$(quoted "$replication_password"), MASTER_USE_GTID=slave_pos, MASTER_CONNECT_RETRY=2;
END
}

make_empty() {
  mariadb-install-db --no-defaults --user=mysql --datadir="$new" --skip-test-db \
    --auth-root-authentication-method=socket --auth-root-socket-user=root >/dev/null
}

copy_of_primary() {
  MYSQL_PWD=$replication_password mariadb-dump --no-defaults --host="$DATABASE_PRIMARY_HOST" --user="$replication_user" \
    --all-databases --single-transaction --master-data=1 --gtid --routines --events --flush-privileges > "$data/copy.sql"
}

# A full copy with its position in the primary's log. The log alone is not complete.
load_copy() {
  local socket=$run/load.sock
  as mysql mariadbd --no-defaults --datadir="$new" --socket="$socket" --relay-log=relay \
    --skip-networking --skip-slave-start &
  retry 60 mariadb-admin --no-defaults --socket="$socket" --silent ping
  mariadb --no-defaults --socket="$socket" < "$data/copy.sql"
  follow_primary | mariadb --no-defaults --socket="$socket"
  mariadb-admin --no-defaults --socket="$socket" shutdown
  wait
}

own_directory mysql "$run"
umask 077
options=(--no-defaults --datadir="$main" --socket="$run/mysqld.sock" --bind-address=0.0.0.0 --log-bin=binlog
  --server-id="${DATABASE_SERVER_ID:-$(hostname | cksum | cut -d ' ' -f 1)}" --gtid-strict-mode=ON --log-slave-updates=ON --relay-log=relay
  --binlog-expire-logs-seconds=604800 --slave-net-timeout=10 --skip-name-resolve --character-set-server=utf8mb4)

if [ "$role" = replica ]; then options+=(--read-only=ON); fi
if [ ! -d "$main" ]; then
  rm -rf "$new"
  # The slower step first: the primary may still be starting.
  make_empty
  if [ "$role" = replica ]; then retry 120 copy_of_primary; load_copy; rm "$data/copy.sql"; fi
  mv "$new" "$main"
fi
if [ "$role" = primary ]; then
  first_statements > "$run/first.sql"
  chown mysql "$run/first.sql"
  options+=(--init-file="$run/first.sql")
fi
exec_as mysql mariadbd "${options[@]}"
