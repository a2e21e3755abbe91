import type {
  describeServerConfig,
  updateServerConfig as updating,
} from '../../../contract/v2/server-config.ts';
import { usageError } from '../../cli-error.ts';
import type { Context, Run } from '../../command.ts';
import { unixTime } from './unix-time.ts';

export const showServerConfig: Run = async ({ api, args, out }) => {
  const query = { stack_id: args.required('id') };
  const { text, body } = await api.call<typeof describeServerConfig>('GET', '/v2/alm/serverconfig', {
    query,
  });
  await out.document(text);
  out.info(`updated: ${unixTime(body.updated)}`);
};

const pairsForm = 'It looks like this: --env MODE:live,LEVEL:3 (a comma within a value: \\,)';

/** The name ends at the first colon; the value is all the rest, whatever is in it. */
function readPair(pair: string): [string, string] {
  const colon = pair.indexOf(':');
  const name = pair.slice(0, colon).trim();
  if (colon === -1 || name === '') throw usageError(`"${pair}" in --env is not a KEY:value pair.`, pairsForm);
  return [name, pair.slice(colon + 1).replaceAll('\\,', ',')];
}

function readVariables(written: string): Record<string, string> {
  if (written === 'null') return {};
  const pairs = written.split(/(?<!\\),/).filter((pair) => pair.trim() !== '');
  if (pairs.length === 0) throw usageError('--env says nothing.', pairsForm, 'To clear all: --env null');
  const variables = new Map<string, string>();
  for (const [name, value] of pairs.map(readPair)) {
    if (variables.has(name)) throw usageError(`${name} is in --env twice.`);
    variables.set(name, value);
  }
  return Object.fromEntries(variables);
}

/** What is to change, a request each. */
function changesGiven({ args }: Context): Record<string, unknown>[] {
  const env = args.text('env');
  const filepath = args.text('filepath');
  if (env === undefined && filepath === undefined)
    throw usageError('Nothing is to change: --env <pairs> or --filepath <url> is needed.');
  return [
    ...(env === undefined ? [] : [{ envvars: readVariables(env) }]),
    ...(filepath === undefined ? [] : [{ filepath }]),
  ];
}

/** Values of variables are often secrets. */
const withoutValues = (name: string, value: unknown): unknown =>
  name === 'envvars' && typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.keys(value).map((each) => [each, '***']))
    : value;

export const updateServerConfig: Run = async (context) => {
  const { api, args, out } = context;
  const stackId = args.required('id');
  for (const change of changesGiven(context)) {
    const body = { stack_id: stackId, ...change };
    out.info(`payload: ${JSON.stringify(body, withoutValues)}`);
    const reply = await api.call<typeof updating>('PUT', '/v2/alm/serverconfig', { body });
    out.info(reply.body.status);
  }
};
