#!/bin/bash
# The load balancer. Its configuration is put into the container before the start, or loaded by reload-haproxy.sh.
. /opt/almanac/entry/common.sh
configuration=/etc/haproxy/haproxy.cfg
install -d -m 755 /run/haproxy
trap 'exit 0' TERM INT
until [ -f "$configuration" ]; do sleep 0.2; done
trap - TERM INT
exec haproxy -W -db -f "$configuration"
