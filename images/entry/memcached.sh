#!/bin/bash
. /opt/almanac/entry/common.sh
exec_as memcache memcached -l 0.0.0.0 -U 0 -m "${CACHE_MEMORY_MIB:-64}"
