#!/bin/bash
# The first start of a server: installs the agent, and signals the result to CloudFormation, which may wait for it.
# user-data.ts removes comment lines, replaces words such as __REGION__ by shell-quoted values, and omits the agent
# section for servers without an agent. Any change of a remaining line restarts existing servers.
set -o pipefail
result=0 reason=
# begin agent
# The wait ends before that of CloudFormation, so that the signal still arrives.
log=/var/log/almanac.log
curl -fsSL --retry 5 --retry-connrefused __INSTALL_URL__ | sh -s -- --server __SERVER__ --stack __STACK__ --flag __FLAG__ --token-from __TOKEN_FROM__ --region __REGION__ --wait 720 2>&1 | tee $log
result=$?
# The end of the log, without users and passwords in URLs. cfn-signal accepts a reason, but AWS shows none for the signal of
# a resource. So it is also written to the console, where Almanac reads it.
reason=$(tail -n 8 $log | sed 's#://[^/@ ]*@#://#g' | tr -cs '[:print:]' ' ' | tail -c 999)
[ $result = 0 ] || echo "almanac-install-failed: $reason" >/dev/console
# end agent
# Amazon's images include cfn-signal; other images install it.
signal=/opt/aws/bin/cfn-signal
[ -x $signal ] || dnf install -y aws-cfn-bootstrap || yum install -y aws-cfn-bootstrap || {
  apt-get update && apt-get install -y python3-pip
  tar=__HELPERS__
  pip3 install --break-system-packages $tar || pip3 install $tar
}
[ -x $signal ] || signal=$(command -v cfn-signal)
"$signal" --exit-code $result --reason "$reason" --stack __CLOUD_STACK__ --resource __RESOURCE__ --region __REGION__
