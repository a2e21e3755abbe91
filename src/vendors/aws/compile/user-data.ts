import { readFileSync } from 'node:fs';
import { shellQuote } from '../../../basics/shell-quote.ts';
import type { Layer } from '../../../model/stack-model.ts';
import { filledScript, hasAgent } from '../../shared/agents.ts';
import { agentTokenParameter, cloudStackName } from '../names.ts';
import { partitionOf } from '../partitions.ts';
import type { Context } from './context.ts';

/** Limit of AWS, before encoding. */
export const maxUserDataBytes = 16384;

const script = readFileSync(new URL('./user-data.sh', import.meta.url), 'utf8');
const agentSection = /^# begin agent\n[^]*?^# end agent\n/m;

const helpers = '/cloudformation-examples/aws-cfn-bootstrap-py3-latest.tar.gz';
const worldwide = `https://s3.amazonaws.com${helpers}`;
const inChina = `https://s3.cn-north-1.amazonaws.com.cn${helpers}`;

/**
 * A shell word: where the helper scripts of CloudFormation are. The AWS documentation names only the worldwide URL, also for
 * China, where it is often out of reach. So servers there ask for the copy in China first.
 */
const helpersUrl = (region: string): string =>
  partitionOf(region) === 'aws-cn'
    ? `$(curl -fsIo /dev/null ${inChina} && echo ${inChina} || echo ${worldwide})`
    : worldwide;

/**
 * The script a server runs at its first start: see user-data.sh. `resource`: the logical id that waits for the signal.
 * The script does not depend on traffic rules or containers: AWS stops a server whose user data changes. It contains no
 * secret: the agent reads its token from Parameter Store.
 */
export function userData(context: Context, layer: Layer, resource: string): string {
  const { model, stackId, baseUrl } = context;
  const values = {
    INSTALL_URL: shellQuote(`${baseUrl}/agent/install.sh`),
    SERVER: shellQuote(baseUrl),
    STACK: shellQuote(stackId),
    FLAG: shellQuote(layer.flag),
    TOKEN_FROM: shellQuote(`ssm:${agentTokenParameter(stackId)}`),
    REGION: shellQuote(model.region),
    CLOUD_STACK: shellQuote(cloudStackName(stackId)),
    RESOURCE: resource,
    HELPERS: helpersUrl(model.region),
  };
  const sections = hasAgent(context, layer) ? script : script.replace(agentSection, '');
  return filledScript(sections, values);
}
