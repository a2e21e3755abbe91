import type { Layer } from '../../model/stack-model.ts';
import type { Context } from './compile-context.ts';
import { agentTokenParameter, cloudStackName } from './logical-names.ts';

/** What AWS takes, before it is encoded. */
export const mostUserDataBytes = 16384;

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The agent reads the token it signs in with where it is kept: nothing secret stands here. */
function installAgent({ model, stackId, baseUrl }: Context, { flag }: Layer): string[] {
  const options: readonly [string, string][] = [
    ['--server', baseUrl],
    ['--stack', stackId],
    ['--flag', flag],
    ['--token-from', `ssm:${agentTokenParameter(stackId)}`],
    ['--region', model.region],
  ];
  const written = options.map(([name, value]) => `${name} ${quote(value)}`).join(' ');
  return [
    `curl -fsSL --retry 5 --retry-connrefused ${quote(`${baseUrl}/agent/install.sh`)} | sh -s -- ${written}`,
    'result=$?',
  ];
}

/** Images of Amazon have the program that signals, others get it. */
const signalProgram = [
  'signal=/opt/aws/bin/cfn-signal',
  '[ -x "$signal" ] || dnf install -y aws-cfn-bootstrap || yum install -y aws-cfn-bootstrap || {',
  '  apt-get update && apt-get install -y python3-pip',
  '  bootstrap=https://s3.amazonaws.com/cloudformation-examples/aws-cfn-bootstrap-py3-latest.tar.gz',
  '  pip3 install --break-system-packages "$bootstrap" || pip3 install "$bootstrap"',
  '}',
  '[ -x "$signal" ] || signal=$(command -v cfn-signal)',
];

const tellResult = ({ model, stackId }: Context, resource: string): string[] => [
  ...signalProgram,
  `"$signal" --exit-code "$result" --stack ${quote(cloudStackName(stackId))} --resource ${resource} --region ${quote(model.region)}`,
];

/**
 * What a server does when it first starts: bring up the agent, and tell CloudFormation, which waits for it, how that
 * went. Null: nothing. `signals`: the resource that waits.
 */
export function userData(context: Context, layer: Layer, signals: string | null): string | null {
  if (!layer.container && !signals) return null;
  const lines = [
    '#!/bin/bash',
    'set -o pipefail',
    'result=0',
    ...(layer.container ? installAgent(context, layer) : []),
    ...(signals ? tellResult(context, signals) : []),
  ];
  return `${lines.join('\n')}\n`;
}
