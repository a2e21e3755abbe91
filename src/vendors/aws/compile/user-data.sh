#!/bin/bash
# The first start of a server: installs the agent, and signals the result to CloudFormation, which may wait for it.
# user-data.ts removes comment lines, replaces words such as __REGION__ by shell-quoted values, and omits the agent
# section for servers without an agent. Any change of a remaining line restarts existing servers.
set -o pipefail
result=0
# begin agent
curl -fsSL --retry 5 --retry-connrefused __INSTALL_URL__ | sh -s -- --server __SERVER__ --stack __STACK__ --flag __FLAG__ --token-from __TOKEN_FROM__ --region __REGION__
result=$?
# end agent
# Amazon's images include cfn-signal; other images install it.
signal=/opt/aws/bin/cfn-signal
[ -x "$signal" ] || dnf install -y aws-cfn-bootstrap || yum install -y aws-cfn-bootstrap || {
  apt-get update && apt-get install -y python3-pip
  bootstrap=https://s3.amazonaws.com/cloudformation-examples/aws-cfn-bootstrap-py3-latest.tar.gz
  pip3 install --break-system-packages "$bootstrap" || pip3 install "$bootstrap"
}
[ -x "$signal" ] || signal=$(command -v cfn-signal)
"$signal" --exit-code "$result" --stack __CLOUD_STACK__ --resource __RESOURCE__ --region __REGION__
