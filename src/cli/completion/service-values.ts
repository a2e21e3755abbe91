import type { describeV2Stack, listV2Stacks } from '../../contract/v2/stacks.ts';
import type { listClients } from '../../contract/v3/clients.ts';
import type { listVendorCredentials } from '../../contract/v3/credentials.ts';
import type { listRoles } from '../../contract/v3/roles.ts';
import type { listSecrets } from '../../contract/v3/secrets/secrets.ts';
import type { describeStack, listStacks } from '../../contract/v3/stacks.ts';
import type { describeUsers } from '../../contract/v3/users.ts';
import type { listVersions } from '../../contract/v3/versions.ts';
import type { Flag } from '../args/flag.ts';
import { isStackId, stackIdsOf } from '../names/find-stacks.ts';
import { instancesOf, type Members, read } from '../net/instances.ts';
import type { System } from '../system.ts';
import { tableTime } from '../view/table.ts';
import type { Candidate } from './candidate.ts';
import { apiFor, apiVersion } from './completion-api.ts';
import type { PartialLine } from './partial-line.ts';

/** Values of a flag that the service knows. */
export type ServiceValues = (system: System, line: PartialLine, flag: Flag) => Promise<readonly Candidate[]>;

const limit = 1000;

export const stackIds: ServiceValues = async (system, line) => {
  const api = await apiFor(system, line);
  const { body } =
    (await apiVersion(system, line)) === 'v2'
      ? await api.call<typeof listV2Stacks>('GET', '/v2/alm/stack', { query: { limit } })
      : await api.call<typeof listStacks>('GET', '/v3/alm/stack', { query: { limit } });
  const isName = isBegunName(line);
  return body.flatMap(({ stack_id: id, nickname, stack_status: status }) => {
    if (!isName) return [{ word: id, about: `${nickname}, ${status}` }];
    return /^[\w.-]+$/.test(nickname) ? [{ word: nickname, about: `${id}, ${status}` }] : [];
  });
};

/** Whether the word that is being typed can be a nickname only. Nothing typed yet: ids are offered, which are unique. */
function isBegunName({ last }: PartialLine): boolean {
  const typed = last.replace(/^--[^=]+=/, '');
  return !'mo-'.startsWith(typed) && !isStackId(typed);
}

export const credentialIds: ServiceValues = async (system, line) => {
  const hasVendor = line.flags.some(({ name }) => name === 'vendor');
  const vendor = (hasVendor ? line.args.text('vendor') : undefined) ?? 'aws';
  const api = await apiFor(system, line);
  const path = '/v3/credentials/{vendor}';
  const { body } = await api.call<typeof listVendorCredentials>('GET', path, { params: { vendor } });
  return body.map(({ id, account }) => ({ word: id, about: account }));
};

/** The id of the stack on the command line, also if it is named; empty if there is none. `--tgt-vid` belongs to `--tgt-sid`, otherwise to `--src-sid`. */
export async function stackOf(system: System, line: PartialLine, { name }: Flag): Promise<string> {
  const { flags, args } = line;
  const found = [name.replace(/vid$/, 'sid'), 'src-sid', 'id'].find(
    (stack) => stack !== name && flags.some((flag) => flag.name === stack) && args.has(stack),
  );
  if (found === undefined) return '';
  const word = args.required(found);
  const context = { api: await apiFor(system, line), version: await apiVersion(system, line) };
  return (await stackIdsOf(context, [word]))(word);
}

export const versionIds: ServiceValues = async (system, line, flag) => {
  const query = { stack_id: await stackOf(system, line, flag), limit: 100 };
  if (query.stack_id === '') return [];
  const { body } = await (await apiFor(system, line)).call<typeof listVersions>('GET', '/v3/alm/template', {
    query,
  });
  return body.map(({ version_id: word, last_modified: modified, label }) => ({
    word,
    about: [tableTime(modified), label].filter(Boolean).join(', '),
  }));
};

export const userNames: ServiceValues = async (system, line) => {
  const { body } = await (await apiFor(system, line)).call<typeof describeUsers>('GET', '/v3/user');
  return (Array.isArray(body) ? body : []).map(({ username: word, email }) => ({ word, about: email }));
};

export const roleIds: ServiceValues = async (system, line) => {
  const { body } = await (await apiFor(system, line)).call<typeof listRoles>('GET', '/v3/role');
  return body.map(({ role_id: word, name: about }) => ({ word, about }));
};

export const secretNames: ServiceValues = async (system, line) => {
  const { body } = await (await apiFor(system, line)).call<typeof listSecrets>('GET', '/v3/alm/secret');
  return body.map(({ name: word, updated_by: by }) => ({ word, about: `set by ${by}` }));
};

export const clientIds: ServiceValues = async (system, line) => {
  const { body } = await (await apiFor(system, line)).call<typeof listClients>('GET', '/v3/client');
  return body.map(({ client_id: word, label: about }) => ({ word, about }));
};

async function instancesIn(system: System, line: PartialLine, flag: Flag): Promise<readonly Members[]> {
  const params = { stack_id: await stackOf(system, line, flag) };
  if (params.stack_id === '') return [];
  const api = await apiFor(system, line);
  if ((await apiVersion(system, line)) === 'v3')
    return instancesOf(
      (await api.call<typeof describeStack>('GET', '/v3/alm/stack/{stack_id}', { params })).body,
    );
  const { body } = await api.call<typeof describeV2Stack>('GET', '/v2/alm/stack/{stack_id}', { params });
  return body.flatMap(instancesOf);
}

/** Drops empty values: an instance that is starting does not have all of them yet. */
const withoutEmpty = (candidates: readonly Candidate[]): readonly Candidate[] =>
  candidates.filter(({ word }) => word !== '');

export const instanceIds: ServiceValues = async (...request) =>
  withoutEmpty(
    (await instancesIn(...request)).map((instance) => ({
      word: read(instance, 'InstanceId'),
      about: `${read(instance, 'flag')}, ${read(instance, 'State', 'Name')}`,
    })),
  );

export const addresses: ServiceValues = async (...request) =>
  withoutEmpty(
    (await instancesIn(...request)).map((instance) => ({
      word: read(instance, 'PrivateIpAddress'),
      about: `${read(instance, 'flag')}, ${read(instance, 'InstanceId')}`,
    })),
  );

/** Layers with an instance; the others cannot be connected to. */
export const layers: ServiceValues = async (...request) => {
  const flags = (await instancesIn(...request)).map((instance) => read(instance, 'flag'));
  return withoutEmpty([...new Set(flags)].map((word) => ({ word, about: '' })));
};
