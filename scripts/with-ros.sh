#!/usr/bin/env bash
# Runs a command with the tools that check templates of Alibaba Cloud: a double of ROS that tests start on loopback, with an offline
# validator, and the vendor's own checker from PyPI. The double is not part of this repository: ALM_ROS_DOUBLE is its folder
# (../shared/tools/ros-double), ALM_ROS_DATA that of the vendor's tables (../shared/data/ros). Without them, prints a reason and succeeds.
set -euo pipefail
. "$(dirname "$0")/python-environment.sh"
beside=$(cd "$(dirname "$0")/.." && pwd)/../shared
tools=${ALM_ROS_DOUBLE:-$beside/tools/ros-double}
data=${ALM_ROS_DATA:-$beside/data/ros}

say() { echo "with-ros: $*" >&2; }

if [ ! -f "$tools/server.mjs" ]; then
  say "skipped: no double of ROS at $tools. Set ALM_ROS_DOUBLE to the folder of its server.mjs."
  exit 0
fi
if [ ! -f "$data/schema-1.14.0.json.gz" ]; then
  say "skipped: no tables of ROS at $data. Set ALM_ROS_DATA to the folder of schema-1.14.0.json.gz."
  exit 0
fi

# The checker needs only these of its many dependencies.
python_environment ros --no-deps iac-code==0.16.0 pyyaml==6.0.3 python-dateutil==2.8.2 six==1.17.0
ALM_ROS_DOUBLE="$(cd "$tools" && pwd)" ALM_ROS_DATA="$(cd "$data" && pwd)" ALM_TEST_ROS_PYTHON="$place/bin/python" \
  no_proxy=127.0.0.1,localhost NO_PROXY=127.0.0.1,localhost "$@"
