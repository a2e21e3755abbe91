import type { StackSummary } from '../../contract/v3/schemas/stack-summary.ts';
import type { ListStackSummaries } from '../../contract/v3/stacks.ts';
import type { ApiVersion } from '../args/flag.ts';
import { CliError } from '../cli-error.ts';
import type { Api } from '../net/api.ts';

/** Ids of stacks begin like this; a nickname that does too is reached by its id only. */
export const isStackId = (word: string): boolean => word.startsWith('mo-');

/** No nickname: refused before a request is sent. */
const isPath = (word: string): boolean => word === '.' || word === '..';

const ambiguous = (name: string, found: readonly StackSummary[]): CliError =>
  new CliError('conflict', `${found.length} stacks have the nickname "${name}".`, {
    lines: found.map(
      ({ stack_id: id, interface: version, stack_status: status, region }) =>
        `${id}  ${version}  ${status}  ${region}`,
    ),
    hints: ['Use the id of one of them.'],
  });

const unknown = (name: string): CliError =>
  new CliError('notFound', `Stack ${name} does not exist: no stack has this id or nickname.`, {
    hints: ['To list all stacks: alm status'],
  });

/** The only stack of that name. Those of the API version in use come first: the others need another one anyway. */
function onlyStack(stacks: readonly StackSummary[], name: string, version?: ApiVersion): StackSummary {
  const named = stacks.filter((stack) => (isStackId(name) ? stack.stack_id : stack.nickname) === name);
  const own = named.filter((stack) => stack.interface === version);
  const found = own.length > 0 ? own : named;
  const [first, ...others] = found;
  if (!first) throw unknown(name);
  if (others.length > 0) throw ambiguous(name, found);
  return first;
}

/** Finds stacks by id or nickname, with one request. */
export async function findStacks(
  api: Api,
  names: readonly string[],
  version?: ApiVersion,
): Promise<ReadonlyMap<string, StackSummary>> {
  const [first, ...others] = new Set(names);
  if (first === undefined) return new Map();
  const filter = others.length === 0 && !isStackId(first) ? { nickname: first } : {};
  const { body } = await api.call<ListStackSummaries>('GET', '/v3/alm/stack', {
    query: { view: 'summary', ...filter },
  });
  return new Map([first, ...others].map((name) => [name, onlyStack(body, name, version)]));
}

/** The only stack with this nickname; null if there is none. */
export async function findStackNamed(api: Api, nickname: string): Promise<StackSummary | null> {
  const { body } = await api.call<ListStackSummaries>('GET', '/v3/alm/stack', {
    query: { view: 'summary', nickname },
  });
  return body.some((stack) => stack.nickname === nickname) ? onlyStack(body, nickname, 'v3') : null;
}

/** The ids of stacks that are named by id or nickname. No request is sent for ids. */
export async function stackIdsOf(
  { api, version }: { readonly api: Api; readonly version: ApiVersion },
  names: readonly string[],
): Promise<(name: string) => string> {
  const found = await findStacks(
    api,
    names.filter((name) => !isStackId(name) && !isPath(name)),
    version,
  );
  return (name) => found.get(name)?.stack_id ?? name;
}
