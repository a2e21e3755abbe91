#!/bin/bash
# The first start of a server: installs the agent. user-data.ts removes comment lines and replaces words such as __SERVER__ by
# shell-quoted values, and the cloud replaces @agent_token@. Any change of a remaining line replaces the servers of groups.
set -o pipefail
umask 077
mkdir -p /var/lib/almanac
printf %s '@agent_token@' >/var/lib/almanac/token
# Anyone who reaches the metadata service can read this script, and in it the token. Packets of containers arrive at the server
# and are forwarded; those of the server itself are not among them.
block=/var/lib/cloud/scripts/per-boot/almanac-metadata
mkdir -p "${block%/*}"
printf '#!/bin/sh\niptables -t raw -I PREROUTING -d 169.254.169.254 -j DROP\n' >$block
chmod 700 $block
$block
log=/var/log/almanac.log
id=$(cat /var/lib/cloud/data/instance-id)
curl -fsSL --retry 5 --retry-connrefused __INSTALL_URL__ | sh -s -- --server __SERVER__ --stack __STACK__ --flag __FLAG__ --token-file /var/lib/almanac/token --instance "$id" --wait 720 2>&1 | tee $log
result=$?
# The console is the only place outside the server where the reason of a failure can be read.
reason=$(tail -n 8 $log | sed 's#://[^/@ ]*@#://#g' | tr -cs '[:print:]' ' ' | tail -c 999)
[ $result = 0 ] || echo "almanac-install-failed: $reason" >/dev/console
