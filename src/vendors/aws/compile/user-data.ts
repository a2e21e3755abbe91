import type { Layer } from '../../../model/stack-model.ts';
import { hasServers } from '../layout/placement.ts';
import { agentTokenParameter, cloudStackName } from '../names.ts';
import type { Context } from './context.ts';

/** What AWS takes, before it is encoded. */
export const maxUserDataBytes = 16384;

/** Addresses that mean the server itself. */
const ownAddress = /^(localhost|.*\.localhost|127\..*|0\.0\.0\.0|\[::1?\]|\[::ffff:7f.*\])$/;

export const isReachable = (baseUrl: string): boolean =>
  URL.canParse(baseUrl) && !ownAddress.test(new URL(baseUrl).hostname);

/** What servers fetch from it they run with all rights: it must come from nobody else. */
export const isSecure = (baseUrl: string): boolean =>
  URL.canParse(baseUrl) && new URL(baseUrl).protocol === 'https:';

/**
 * Whether a layer's servers have an agent. They do whether the layer has a container or not: one that is added later
 * reaches servers that run already only through an agent. Where they could fetch none, they come up without.
 */
export const hasAgent = ({ baseUrl }: Pick<Context, 'baseUrl'>, layer: Layer): boolean =>
  hasServers(layer) && isReachable(baseUrl) && isSecure(baseUrl);

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
 * What a server does when it first starts: bring up the agent, and tell CloudFormation, which may wait for it, how that
 * went. `resource`: the one that waits. The same lines whatever may pass in and out, and whatever runs: AWS stops a
 * server whose lines change.
 */
export function userData(context: Context, layer: Layer, resource: string): string {
  const lines = [
    '#!/bin/bash',
    'set -o pipefail',
    'result=0',
    ...(hasAgent(context, layer) ? installAgent(context, layer) : []),
    ...tellResult(context, resource),
  ];
  return `${lines.join('\n')}\n`;
}
