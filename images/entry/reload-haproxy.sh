#!/bin/bash
# Validates haproxy.cfg.new, in the directory of the configuration, and loads it. Changes nothing if it is invalid.
# Connections stay open: the old process finishes its requests. Also loads the first configuration.
. /opt/almanac/entry/common.sh
configuration=/etc/haproxy/haproxy.cfg
haproxy -c -f "$configuration.new" >/dev/null
started=$(cat /proc/1/comm)
# Atomic, so that no reader sees half of it.
mv "$configuration.new" "$configuration"
if [ "$started" = haproxy ]; then kill -USR2 1; fi
