# Shared by the entry scripts.
set -euo pipefail

entry=/opt/almanac/entry
# What must outlive the container is below this: mount a volume here.
data=${DATA_DIRECTORY:-/data}

fail() { echo "$*" >&2; exit 1; }

# secret NAME: what the file $NAME_FILE holds, else the value of $NAME itself.
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

# until_it_works SECONDS COMMAND…: what it asks may still be starting. The engine restarts us when we give up.
until_it_works() {
  local end=$((SECONDS + $1)); shift
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || fail "gave up on: $1"
    sleep 0.3
  done
}

# The settings of both kinds of databases.
read_database_settings() {
  role=${DATABASE_ROLE:-primary}
  password=$(secret DATABASE_PASSWORD)
  [ -n "$password" ] || fail 'neither DATABASE_PASSWORD_FILE nor DATABASE_PASSWORD is set'
  replication_password=$(secret DATABASE_REPLICATION_PASSWORD)
  replication_password=${replication_password:-$password}
  case $role in
    primary) need DATABASE_NAME DATABASE_USER ;;
    replica) need DATABASE_PRIMARY_HOST ;;
    *) fail "DATABASE_ROLE is '$role'; primary and replica are known" ;;
  esac
}
