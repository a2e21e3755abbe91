#!/bin/bash
# The first start of a server: installs the agent. user-data.ts removes comment lines and replaces words such as __SERVER__ by
# shell-quoted values. Any change of a remaining line restarts fixed servers.
set -o pipefail
# Anyone who reaches the metadata service can read the keys of the server's role, and with them the token of the agents. Packets of
# containers arrive at the server and are forwarded; those of the server itself are not among them.
block=/var/lib/cloud/scripts/per-boot/almanac-metadata
mkdir -p "${block%/*}"
printf '#!/bin/sh\niptables -t raw -I PREROUTING -d 100.100.100.200 -j DROP\n' >$block
chmod 700 $block
$block
log=/var/log/almanac.log
curl -fsSL --retry 5 --retry-connrefused __INSTALL_URL__ | sh -s -- --server __SERVER__ --stack __STACK__ --flag __FLAG__ --token-from __TOKEN_FROM__ --region __REGION__ --wait 720 2>&1 | tee $log
result=$?
# The console is the only place outside the server where the reason of a failure can be read.
reason=$(tail -n 8 $log | sed 's#://[^/@ ]*@#://#g' | tr -cs '[:print:]' ' ' | tail -c 999)
[ $result = 0 ] || echo "almanac-install-failed: $reason" >/dev/console
