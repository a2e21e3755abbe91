import type { updateServerConfig as updateRoute } from '../../../contract/v2/server-config.ts';
import { usageError } from '../../cli-error.ts';
import type { Context, Run } from '../../command.ts';
import { sendGuarded } from '../data/send-guarded.ts';

interface Variable {
  name: string;
  value: string;
}

const envFormat = 'Format: --env MODE:live,LEVEL:3 (escape a comma in a value as \\,)';

/** Splits a pair at the first colon; the value may contain more of them. */
function parsePair(pair: string): [string, string] {
  const colon = pair.indexOf(':');
  const name = pair.slice(0, colon).trim();
  if (colon === -1 || name === '') throw usageError(`Invalid pair "${pair}" in --env.`, envFormat);
  return [name, pair.slice(colon + 1).replaceAll('\\,', ',')];
}

/** Pairs, as the interface has them. */
function parseVariables(text: string): Variable[] {
  if (text === 'null') return [];
  const pairs = text.split(/(?<!\\),/).filter((pair) => pair.trim() !== '');
  if (pairs.length === 0)
    throw usageError('--env is empty.', envFormat, 'To remove all variables: --env null');
  const variables = new Map<string, string>();
  for (const [name, value] of pairs.map(parsePair)) {
    if (variables.has(name)) throw usageError(`Duplicate variable ${name} in --env.`);
    variables.set(name, value);
  }
  return [...variables].map(([name, value]) => ({ name, value }));
}

/** The changes, one request each. */
function changesFrom({ args }: Context): Record<string, unknown>[] {
  const env = args.text('env');
  const filepath = args.text('filepath');
  if (env === undefined && filepath === undefined)
    throw usageError('Nothing to update: --env <pairs> or --filepath <url> is required.');
  return [
    ...(env === undefined ? [] : [{ envvars: parseVariables(env) }]),
    ...(filepath === undefined ? [] : [{ filepath }]),
  ];
}

/** Redacts the values of variables, which are often secrets. */
const redactValues = (name: string, value: unknown): unknown => (name === 'value' ? '***' : value);

export const updateServerConfig: Run = async (context) => {
  const { api, args, out } = context;
  const stackId = args.required('id');
  for (const change of changesFrom(context)) {
    const body = { stack_id: stackId, ...change };
    out.info(`payload: ${JSON.stringify(body, redactValues)}`);
    const reply = await sendGuarded(context, (query) =>
      api.call<typeof updateRoute>('PUT', '/v2/alm/serverconfig', { query, body }),
    );
    out.info(reply.body.status);
  }
};
