#!/usr/bin/env bash
# Runs a command with a real OpenStack on loopback, from Debian's packages. The scripts that start it are not part of this
# repository: ALM_OPENSTACK_RIG_TOOLS is their folder (../shared/tools/openstack). Without them, prints a reason and succeeds.
# The default is all services. ALM_OPENSTACK_RIG=heat starts Keystone and Heat only, with a folder and ports of their own: the
# catalog of a rig that once had all services still names them. A rig that already runs is used, and left running. Root is required.
set -euo pipefail
tools=${ALM_OPENSTACK_RIG_TOOLS:-$(cd "$(dirname "$0")/.." && pwd)/../shared/tools/openstack}
parts=${ALM_OPENSTACK_RIG:-full}
folder=${OPENSTACK_RIG:-${TMPDIR:-/tmp}/openstack-rig}
if [ "$parts" = heat ]; then
  folder+=-heat
  export P_MYSQL=23306 P_AMQP=25673 P_AMQP_DIST=25674 P_EPMD=24369 P_MEMC=21311 P_KEYSTONE=25000 P_HEAT=28004 P_CFN=28000
fi
export OPENSTACK_RIG=$folder

say() { echo "with-openstack: $*" >&2; }

if [ ! -x "$tools/up.sh" ]; then
  say "skipped: no OpenStack rig at $tools. Set ALM_OPENSTACK_RIG_TOOLS to the folder of its up.sh."
  exit 0
fi
if [ "$(id -u)" != 0 ]; then
  say 'skipped: the OpenStack rig requires root.'
  exit 0
fi

answers() { curl -s -o /dev/null --max-time 5 --noproxy '*' "$1"; }
auth=http://127.0.0.1:${P_KEYSTONE:-5000}/v3
log=$folder/with-openstack.log

# Every step looks first, so this completes a rig that runs in part.
start() { "$tools/$1" "${@:2}" >>"$log" 2>&1 || { tail -n 20 "$log" >&2; exit 1; }; }

mkdir -p "$folder"
: >"$log"
if answers "$auth"; then say "uses the rig that runs in $folder"; else trap '"$tools/down.sh" >/dev/null 2>&1' EXIT; fi
began=$SECONDS
if [ "$parts" = full ]; then
  start up.sh full
  start trove.sh
  say 'real: Keystone, Heat, MariaDB, RabbitMQ, Nova, Neutron, Cinder, Glance, Octavia, Trove'
  say 'fake: hypervisor (nothing boots), data plane, disks, amphorae, the guest agent of databases'
else
  start up.sh
  say 'real: Keystone, Heat, MariaDB, RabbitMQ'
  say 'fake: no servers: OS::Heat::TestResource in their place'
fi
say "started in $((SECONDS - began)) s"

began=$SECONDS
code=0
ALM_TEST_OPENSTACK_URL=$auth ALM_TEST_OPENSTACK_PARTS=$parts ALM_OPENSTACK_RIG_TOOLS=$tools \
  no_proxy=127.0.0.1,localhost NO_PROXY=127.0.0.1,localhost "$@" || code=$?
say "the command took $((SECONDS - began)) s"
exit "$code"
