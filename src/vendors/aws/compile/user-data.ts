import { readFileSync } from 'node:fs';
import { shellQuote } from '../../../basics/shell-quote.ts';
import type { Layer } from '../../../model/stack-model.ts';
import { filledScript, hasAgent } from '../../shared/agents.ts';
import { type Json, ref } from '../document.ts';
import { agentTokenParameter, cloudStackName } from '../names.ts';
import { partitionOf } from '../partitions.ts';
import type { Context } from './context.ts';

/** Limit of AWS, before encoding. */
export const maxUserDataBytes = 16384;

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');
const script = read('./user-data.sh');
const attachFiles = read('./attach-files.sh');
const agentSection = /^# begin agent\n([^]*?)^# end agent\n([^]*)/m;

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

/** The volume is attached before the agent starts. The signal may be sent before that, and only once. */
const withFiles = (text: string): string =>
  text.replace(
    agentSection,
    (_, agent: string, signal: string) =>
      `report() {\n${signal}}\n${attachFiles}${agent}[ "$reported" ] || report\n`,
  );

interface Server {
  /** The logical id that waits for the signal. */
  resource: string;
  /** The logical id of the volume with its files; undefined: it has none. */
  files: string | undefined;
}

/**
 * The script a server runs at its first start: see user-data.sh. The script does not depend on traffic rules or containers:
 * AWS stops a server whose user data changes. It contains no secret: the agent reads its token from Parameter Store.
 */
export function userData(context: Context, layer: Layer, { resource, files }: Server): Json {
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
  if (!hasAgent(context, layer)) return filledScript(script.replace(agentSection, '$2'), values);
  if (files === undefined) return filledScript(script, values);
  const [start = '', end = ''] = filledScript(withFiles(script), values).split('__VOLUME__');
  return { 'Fn::Join': ['', [start, ref(files), end]] };
}
