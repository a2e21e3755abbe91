import { offsetTime } from '../basics/clock.ts';
import { describeKept, type Loss } from '../operations/accounts/delete-account.ts';
import type { DescribedAccount } from '../operations/accounts/describe-account.ts';
import type { AccountCredentials } from '../operations/accounts/new-account.ts';
import { exportLines } from './welcome.ts';

export const presentAccount = (account: DescribedAccount) => ({
  account_id: account.id,
  name: account.name,
  state: account.state,
  create_time: offsetTime(account.createdAt),
  usage: account.usage,
  quota: account.quota,
});

export const createdText = ({
  id,
  name,
  credentials,
}: {
  id: string;
  name: string;
  credentials: AccountCredentials;
}): string =>
  [
    `Account ${id} "${name}" is created. Its users can sign in now; at the ssh gateway as ${id}.${credentials.username}.`,
    ...exportLines(credentials, 'sign-in'),
  ].join('\n');

/** Columns as wide as their longest cell. */
export const table = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

export const listText = (accounts: readonly DescribedAccount[]): string =>
  table([
    ['ACCOUNT ID', 'NAME', 'STATE', 'STACKS', 'USERS', 'CREATED'],
    ...accounts.map(({ id, name, state, usage, createdAt }) => [
      id,
      name || '-',
      state,
      String(usage.stacks),
      String(usage.users),
      offsetTime(createdAt),
    ]),
  ]);

const limit = (value: number): string => (value === 0 ? 'no limit' : `of ${value}`);

export const detailText = ({ id, name, state, usage, quota }: DescribedAccount): string =>
  table([
    ['account id', id],
    ['name', name || '-'],
    ['state', state],
    ['stacks', String(usage.stacks), limit(quota.stacks)],
    ['versions of a stack', `up to ${usage.versions}`, limit(quota.versions)],
    ['event streams', '-', limit(quota.streams)],
    ['requests per second', '-', limit(quota.requests)],
    ['users', String(usage.users)],
    ['API clients', String(usage.clients)],
  ]);

/** Names of tables, in words. Tables that mean nothing to the operator are omitted. */
const words: Readonly<Record<string, string>> = {
  users: 'users',
  api_clients: 'API clients',
  access_tokens: 'access tokens',
  personal_tokens: 'personal access tokens',
  roles: 'roles',
  credentials: 'credentials of clouds',
  data_stores: 'entries of the list of data',
  stacks: 'deleted stacks',
  versions: 'versions of deleted stacks',
  events: 'events of deleted stacks',
};

const keptLines = ({ kept }: Loss): string[] =>
  kept.length === 0
    ? []
    : [
        'Kept data stays at its vendors, and nothing else says where it is:',
        ...describeKept(kept).map((text) => `  ${text}`),
      ];

export const deletedText = (loss: Loss): string =>
  [`Account ${loss.account.id} is deleted. Its audit log remains.`, ...keptLines(loss)].join('\n');

export const lossText = (loss: Loss): string => {
  const { account, rows } = loss;
  const lines = Object.entries(words)
    .filter(([name]) => rows.has(name))
    .map(([name, word]) => `  ${rows.get(name)} ${word}`);
  return [
    `Deleting account ${account.id} "${account.name}" removes for ever:`,
    ...lines,
    ...keptLines(loss),
    'Its audit log remains.',
  ].join('\n');
};
