import type { describeV2Stack } from '../../contract/v2/stacks.ts';
import type { listClients } from '../../contract/v3/clients.ts';
import type { listRoles } from '../../contract/v3/roles.ts';
import type { describeStack } from '../../contract/v3/stacks.ts';
import type { describeUsers } from '../../contract/v3/users.ts';
import type { listVersions } from '../../contract/v3/versions.ts';
import type { Flag } from '../args/flag.ts';
import { instancesOf, type Members, read } from '../net/instances.ts';
import type { System } from '../system.ts';
import { tableTime } from '../view/table.ts';
import type { Candidate } from './candidate.ts';
import { apiFor } from './from-service.ts';
import type { Typed } from './typed.ts';
import { versionInUse } from './version-in-use.ts';

type Names = (system: System, typed: Typed, flag: Flag) => Promise<readonly Candidate[]>;

/** The stack the words are about, as far as they say it; `--tgt-vid` is one of `--tgt-sid`, else of `--src-sid`. */
function stackOf({ flags, args }: Typed, { name }: Flag): string {
  for (const stack of [name.replace(/vid$/, 'sid'), 'src-sid', 'id'])
    if (stack !== name && flags.some((flag) => flag.name === stack) && args.has(stack))
      return args.required(stack);
  return '';
}

export const versionIds: Names = async (system, typed, flag) => {
  const query = { stack_id: stackOf(typed, flag), limit: 100 };
  if (query.stack_id === '') return [];
  const { body } = await (await apiFor(system, typed)).call<typeof listVersions>('GET', '/v3/alm/template', {
    query,
  });
  return body.map(({ version_id: word, last_modified: modified, label }) => ({
    word,
    about: [tableTime(modified), label].filter(Boolean).join(', '),
  }));
};

export const userNames: Names = async (system, typed) => {
  const { body } = await (await apiFor(system, typed)).call<typeof describeUsers>('GET', '/v3/user');
  return (Array.isArray(body) ? body : []).map(({ username: word, email }) => ({ word, about: email }));
};

export const roleIds: Names = async (system, typed) => {
  const { body } = await (await apiFor(system, typed)).call<typeof listRoles>('GET', '/v3/role');
  return body.map(({ role_id: word, name: about }) => ({ word, about }));
};

export const clientIds: Names = async (system, typed) => {
  const { body } = await (await apiFor(system, typed)).call<typeof listClients>('GET', '/v3/client');
  return body.map(({ client_id: word, label: about }) => ({ word, about }));
};

async function instancesIn(system: System, typed: Typed, flag: Flag): Promise<readonly Members[]> {
  const params = { stack_id: stackOf(typed, flag) };
  if (params.stack_id === '') return [];
  const api = await apiFor(system, typed);
  if ((await versionInUse(system, typed)) === 'v3')
    return instancesOf(
      (await api.call<typeof describeStack>('GET', '/v3/alm/stack/{stack_id}', { params })).body,
    );
  const { body } = await api.call<typeof describeV2Stack>('GET', '/v2/alm/stack/{stack_id}', { params });
  return body.flatMap(instancesOf);
}

/** What is still coming up has not every name yet. */
const named = (candidates: readonly Candidate[]): readonly Candidate[] =>
  candidates.filter(({ word }) => word !== '');

export const instanceIds: Names = async (...asked) =>
  named(
    (await instancesIn(...asked)).map((instance) => ({
      word: read(instance, 'InstanceId'),
      about: `${read(instance, 'flag')}, ${read(instance, 'State', 'Name')}`,
    })),
  );

export const addresses: Names = async (...asked) =>
  named(
    (await instancesIn(...asked)).map((instance) => ({
      word: read(instance, 'PrivateIpAddress'),
      about: `${read(instance, 'flag')}, ${read(instance, 'InstanceId')}`,
    })),
  );

/** Those that have an instance: nothing else can be reached. */
export const layers: Names = async (...asked) => {
  const flags = (await instancesIn(...asked)).map((instance) => read(instance, 'flag'));
  return named([...new Set(flags)].map((word) => ({ word, about: '' })));
};
