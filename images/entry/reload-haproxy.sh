#!/bin/bash
# Takes over haproxy.cfg.new, which was put beside the configuration; refuses a wrong one and changes nothing then.
# Connections stay: the old process finishes what it has begun. It may also be the first configuration.
. /opt/almanac/entry/common.sh
configuration=/etc/haproxy/haproxy.cfg
haproxy -c -f "$configuration.new" >/dev/null
started=$(cat /proc/1/comm)
# At once, so that nobody reads half of it.
mv "$configuration.new" "$configuration"
if [ "$started" = haproxy ]; then kill -USR2 1; fi
