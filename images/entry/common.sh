# Shared by the entry scripts.
set -euo pipefail

entry=/opt/almanac/entry
# Data that must outlive the container. Mount a volume here.
data=${DATA_DIRECTORY:-/data}

fail() { echo "$*" >&2; exit 1; }

# secret NAME: prints the content of the file $NAME_FILE, else the value of $NAME.
secret() {
  local file_variable="$1_FILE"
  local file=${!file_variable:-}
  if [ -n "$file" ]; then cat "$file"; else printf '%s' "${!1:-}"; fi
}

need() {
  local name
  for name in "$@"; do [ -n "${!name:-}" ] || fail "$name is not set"; done
}

as() { local user=$1; shift; setpriv --reuid="$user" --regid="$user" --init-groups "$@"; }
exec_as() { local user=$1; shift; exec setpriv --reuid="$user" --regid="$user" --init-groups "$@"; }

own_directory() {
  local user=$1; shift
  install -d -m 700 -o "$user" -g "$user" "$data"
  install -d -m 755 -o "$user" -g "$user" "$@"
}

# retry SECONDS COMMAND…: retries while a dependency starts. After the timeout the container exits and the engine restarts it.
retry() {
  local end=$((SECONDS + $1)); shift
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || fail "timed out: $1"
    sleep 0.3
  done
}

# The settings of PostgreSQL and MariaDB.
read_database_settings() {
  role=${DATABASE_ROLE:-primary}
  password=$(secret DATABASE_PASSWORD)
  [ -n "$password" ] || fail 'neither DATABASE_PASSWORD_FILE nor DATABASE_PASSWORD is set'
  replication_password=$(secret DATABASE_REPLICATION_PASSWORD)
  replication_password=${replication_password:-$password}
  case $role in
    primary) need DATABASE_NAME DATABASE_USER ;;
    replica) need DATABASE_PRIMARY_HOST ;;
    *) fail "DATABASE_ROLE is '$role'; it must be primary or replica" ;;
  esac
}
