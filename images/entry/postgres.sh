#!/bin/bash
# PostgreSQL, primary or streaming replica. Data is created in a temporary directory and renamed, so a kill is harmless.
. /opt/almanac/entry/common.sh
read_database_settings
bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
main=$data/main
new=$data/new
replication_user=replicator

quoted() { printf "'%s'" "${1//\'/\'\'}"; }
named() { printf '"%s"' "${1//\"/\"\"}"; }

# Statements end with an empty line.
first_statements() {
  cat <<END
CREATE ROLE $(named "$DATABASE_USER") LOGIN PASSWORD $(quoted "$password");

CREATE DATABASE $(named "$DATABASE_NAME") OWNER $(named "$DATABASE_USER");

CREATE ROLE $replication_user REPLICATION LOGIN PASSWORD $(quoted "$replication_password");

END
}

# Data that was restored from another stack has the passwords of that one.
new_passwords() {
  cat <<END
ALTER ROLE $(named "$DATABASE_USER") PASSWORD $(quoted "$password");

ALTER ROLE $replication_user PASSWORD $(quoted "$replication_password");

END
}

access_rules() {
  cat <<END
local all postgres peer
host all all all scram-sha-256
host replication $replication_user all scram-sha-256
END
}

make_primary() {
  as postgres "$bin/initdb" -D "$new" --encoding=UTF8 --locale=C.UTF-8 --auth-local=peer --auth-host=scram-sha-256 >/dev/null
  access_rules > "$new/pg_hba.conf"
  first_statements | as postgres "$bin/postgres" --single -j -D "$new" postgres >/dev/null
}

# The replication slot on the primary: it keeps the log that this replica has not read yet.
slot() { printf '%s' "${DATABASE_REPLICA_NAME:-$(hostname)}" | tr 'A-Z' 'a-z' | tr -c 'a-z0-9_' '_'; }

make_replica() {
  export PGPASSWORD=$replication_password
  local primary="host=$DATABASE_PRIMARY_HOST user=$replication_user connect_timeout=5"
  retry 120 as postgres "$bin/pg_receivewal" -d "$primary" --slot="$(slot)" --create-slot --if-not-exists
  as postgres "$bin/pg_basebackup" -d "$primary" -D "$new" -R -X stream -S "$(slot)" -c fast
  unset PGPASSWORD
}

own_directory postgres /run/postgresql
if [ ! -d "$main" ]; then
  rm -rf "$new"
  "make_$role"
  mv "$new" "$main"
elif [ "$role:${DATABASE_RESTORED:-}" = primary:true ]; then
  new_passwords | as postgres "$bin/postgres" --single -j -D "$main" postgres >/dev/null
fi
exec_as postgres "$bin/postgres" -D "$main" -c listen_addresses='*' -c unix_socket_directories=/run/postgresql \
  -c wal_level=replica -c max_wal_senders=16 -c max_replication_slots=16 -c hot_standby=on \
  -c max_slot_wal_keep_size=1GB -c wal_receiver_timeout=10s -c wal_retrieve_retry_interval=1s
