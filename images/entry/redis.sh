#!/bin/bash
# Redis, primary or replica, with or without a password.
. /opt/almanac/entry/common.sh
password=$(secret CACHE_PASSWORD)

quoted() { local text=${1//\\/\\\\}; printf '"%s"' "${text//\"/\\\"}"; }

settings() {
  # Without a delay for further replicas, the first one starts at once.
  cat <<END
bind * -::*
protected-mode no
dir "$data"
appendonly yes
save ""
repl-diskless-sync-delay 0
END
  if [ -n "${CACHE_MEMORY_MIB:-}" ]; then printf 'maxmemory %smb\nmaxmemory-policy volatile-lru\n' "$CACHE_MEMORY_MIB"; fi
  if [ -n "$password" ]; then printf 'requirepass %s\nmasterauth %s\n' "$(quoted "$password")" "$(quoted "$password")"; fi
  if [ "${CACHE_ROLE:-primary}" = replica ]; then need CACHE_PRIMARY_HOST; echo "replicaof $CACHE_PRIMARY_HOST 6379"; fi
}

own_directory redis /run/redis
umask 077
settings > /run/redis/redis.conf
chown redis /run/redis/redis.conf
exec_as redis redis-server /run/redis/redis.conf
