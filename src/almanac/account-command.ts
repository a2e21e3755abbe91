import { parseArgs } from 'node:util';
import { realClock } from '../basics/clock.ts';
import { type Config, minVersions } from '../basics/config.ts';
import { entryOf } from '../basics/entry-of.ts';
import { Secret } from '../basics/secret.ts';
import { resumeAccount, setQuota, suspendAccount } from '../operations/accounts/change-account.ts';
import { createAccount } from '../operations/accounts/create-account.ts';
import { deleteAccount, type Loss, previewDeletion } from '../operations/accounts/delete-account.ts';
import { describeAccount, describeAccounts } from '../operations/accounts/describe-account.ts';
import { resetMasterPassword } from '../operations/accounts/reset-password.ts';
import { resetMasterFactor } from '../operations/accounts/reset-second-factor.ts';
import type { Service } from '../operations/service.ts';
import { checkSealingKey } from '../operations/start/first-start.ts';
import type { Database } from '../store/database/database.ts';
import { createdText, deletedText, detailText, listText, lossText, presentAccount } from './account-text.ts';
import { withDatabase } from './backup-commands.ts';
import { makeService } from './make-service.ts';
import { refuseLostKey } from './start.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

const accountOptions = {
  json: flag,
  all: flag,
  username: text,
  'password-stdin': flag,
  stacks: text,
  versions: text,
  streams: text,
  requests: text,
  'dry-run': flag,
  confirm: text,
  'forget-data': flag,
} as const;

export const accountHelp = `Usage:
  almanac account create <name> [--username root] [--password-stdin]
                                create an account with its master user and first API client; prints generated secrets once
  almanac account list [--all]  list the accounts; --all: also deleted ones
  almanac account show <id>     show the state, the usage and the quotas of an account
  almanac account quota <id> [--stacks n] [--versions n] [--streams n] [--requests n]
                                limit an account; 0: no limit; "default": the setting of the server
  almanac account suspend <id>  end the access of its users and API clients; its stacks keep running
  almanac account resume <id>   undo a suspension
  almanac account reset-password <id> [--password-stdin]
                                set another password of the master, who lost it; ends all sign-ins, tokens and passkeys of the master
  almanac account reset-second-factor <id>
                                remove the second factor of the master, who lost the device and the recovery codes
  almanac account delete <id> --dry-run
                                show what would be lost
  almanac account delete <id> --confirm <id> [--forget-data]
                                delete an account without stacks, for ever; its audit log remains. It is refused while the account
                                has kept data, unless --forget-data: the data stays at its vendors, and the command prints where

Every command works while servers run, accepts the name of an account instead of its id (except --confirm), and prints JSON with
--json. The password of a master user is generated, or read from standard input (--password-stdin) or ALM_ACCOUNT_PASSWORD.`;

const parse = (args: readonly string[]) =>
  parseArgs({ args: [...args], options: accountOptions, allowPositionals: true });

interface Call {
  config: Config;
  database: Database;
  /** The argument after the verb: the name or the id of an account. */
  subject: string;
  values: ReturnType<typeof parse>['values'];
}

const print = ({ values }: Call, body: unknown, human: string): void =>
  void process.stdout.write(values.json ? `${JSON.stringify(body, null, 2)}\n` : `${human}\n`);

const storeOf = ({ database }: Call) => ({ database, clock: realClock });

async function readPassword({ config, values }: Call): Promise<Secret | null> {
  if (!values['password-stdin']) return config.accountPassword;
  process.stdin.setEncoding('utf8');
  let input = '';
  for await (const chunk of process.stdin) input += String(chunk);
  const [line = ''] = input.split(/\r?\n/);
  if (line === '') throw new Error('Standard input has no password.');
  return new Secret(line);
}

async function serviceOf({ config, database }: Call): Promise<Service> {
  await refuseLostKey(config, database);
  const service = makeService({ config, database, clock: realClock });
  await checkSealingKey(service);
  return service;
}

async function create(call: Call): Promise<void> {
  const { subject: name, values } = call;
  const service = await serviceOf(call);
  const password = await readPassword(call);
  const { id, credentials } = await createAccount(service, {
    name,
    username: values.username ?? 'root',
    password,
  });
  const { clientId, clientSecret, username, generated } = credentials;
  const body = {
    account_id: id,
    name,
    username,
    ...(generated.password ? { password: credentials.password.reveal() } : {}),
    client_id: clientId,
    client_secret: clientSecret.reveal(),
  };
  print(call, body, createdText({ id, name, credentials }));
}

async function list(call: Call): Promise<void> {
  const { database, config, values } = call;
  const options = { defaults: config.quota, deleted: values.all ?? false };
  const accounts = await describeAccounts(database.query, options);
  print(call, accounts.map(presentAccount), listText(accounts));
}

async function show(call: Call): Promise<void> {
  const account = await describeAccount(call.database.query, call.subject, call.config.quota);
  print(call, presentAccount(account), detailText(account));
}

const parseQuota = (name: string, value: string | undefined): number | null | undefined => {
  if (value === undefined) return undefined;
  if (value === 'default') return null;
  const number = Number(value);
  const isValid = /^\d{1,7}$/.test(value) && number <= 1_000_000;
  if (!isValid || (name === 'versions' && number > 0 && number < minVersions))
    throw new Error(
      `--${name} must be "default", 0 (no limit), or a whole number from ${name === 'versions' ? minVersions : 1} to 1000000, not "${value}".`,
    );
  return number;
};

async function quota(call: Call): Promise<void> {
  const { stacks, versions, streams, requests } = call.values;
  const wanted = { stacks, versions, streams, requests };
  const parsed = Object.fromEntries(
    Object.entries(wanted).map(([name, value]) => [name, parseQuota(name, value)]),
  );
  await setQuota(storeOf(call), call.subject, parsed);
  await show(call);
}

async function suspend(call: Call): Promise<void> {
  const { id, name } = await suspendAccount(storeOf(call), call.subject);
  print(
    call,
    { account_id: id, name, state: 'suspended' },
    `Account ${id} is suspended. Its stacks keep running. To undo it, run: almanac account resume ${id}`,
  );
}

async function resume(call: Call): Promise<void> {
  const { id, name } = await resumeAccount(storeOf(call), call.subject);
  print(call, { account_id: id, name, state: 'active' }, `Account ${id} is active.`);
}

async function resetSecondFactor(call: Call): Promise<void> {
  const { accountId, username } = await resetMasterFactor(storeOf(call), call.subject);
  print(
    call,
    { account_id: accountId, username, second_factor: 'removed' },
    `The master ${username} of account ${accountId} has no second factor any more, and signs in with the password alone.`,
  );
}

async function resetPassword(call: Call): Promise<void> {
  const chosen = await readPassword(call);
  const { accountId, username, password } = await resetMasterPassword(
    await serviceOf(call),
    call.subject,
    chosen,
  );
  const shown = chosen ? {} : { password: password.reveal() };
  const done = `The master ${username} of account ${accountId} has another password; all sign-ins, tokens and passkeys of ${username} have ended.`;
  print(
    call,
    { account_id: accountId, username, ...shown },
    chosen ? done : `${done}\nIt is shown only once: ${password.reveal()}`,
  );
}

const lossOf = ({ account, rows, kept }: Loss) => ({
  account_id: account.id,
  name: account.name,
  rows: Object.fromEntries(rows),
  kept_data: kept.map(({ id, stack_id, resource, resource_type, reference, kept_where: where }) => ({
    id,
    stack_id,
    resource,
    resource_type,
    reference,
    where,
  })),
});

async function remove(call: Call): Promise<void> {
  const { subject, values } = call;
  const options = { forgetData: values['forget-data'] ?? false };
  const loss = await previewDeletion(storeOf(call), subject, options);
  const { id } = loss.account;
  if (values['dry-run']) return print(call, lossOf(loss), lossText(loss));
  if (values.confirm !== id)
    throw new Error(
      `${lossText(loss)}\nTo delete the account for ever, repeat its id: almanac account delete ${id} --confirm ${id}`,
    );
  const lost = await deleteAccount(storeOf(call), id, options);
  print(call, { ...lossOf(lost), state: 'deleted' }, deletedText(lost));
}

const verbs: Readonly<Record<string, (call: Call) => Promise<void>>> = {
  create,
  list,
  show,
  quota,
  suspend,
  resume,
  'reset-password': resetPassword,
  'reset-second-factor': resetSecondFactor,
  delete: remove,
};

const usage = (verb: string): Error => {
  const known = verb in verbs ? verb : `<${Object.keys(verbs).join('|')}>`;
  return new Error(
    `Usage: almanac account ${known}${verb === 'list' ? '' : ' <account>'}. Run: almanac account --help`,
  );
};

export async function runAccount(config: Config, args: readonly string[]): Promise<void> {
  const { values, positionals } = parse(args);
  const [verb = '', subject = '', ...more] = positionals;
  const run = entryOf(verbs, verb);
  // Only `list` has no subject.
  if (!run || more.length > 0 || (verb === 'list') !== (subject === '')) throw usage(verb);
  await withDatabase(config, (database) => run({ config, database, subject, values }));
}
