import { isObject } from '../../../basics/is-object.ts';
import { CliError } from '../../cli-error.ts';
import type { BareContext, BareRun, Context } from '../../command.ts';
import { exitCodeOf } from '../../exit-codes.ts';
import { makeContext } from '../../make-context.ts';
import { requestCredentials } from '../../registry/helper-credentials.ts';
import { hostOf } from '../../registry/host.ts';
import { changeConfig, configPath, readConfig } from '../../settings/config-file.ts';
import { loadSettings } from '../../settings/load-settings.ts';
import type { System } from '../../system.ts';

/** Container tools know this text: the helper has nothing for this registry, so they go on without a user. */
const notFound = 'credentials not found in native keychain';

const maxInput = 1_000_000;
/** A container tool asks the helper even for images of other registries, so a server that is down must not delay it much. */
const maxSeconds = 20;

async function readInput({ stdin }: System): Promise<string> {
  let text = '';
  for await (const chunk of stdin.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk;
    if (text.length > maxInput) throw new CliError('usage', 'The input is too large.');
  }
  return text.trim();
}

const configOf = ({ system }: BareContext) => readConfig(configPath(system.env, system.home));

/** The context of the profile that the login of this registry belongs to. */
async function contextFor(bare: BareContext, profile: string): Promise<Context> {
  const env = { ...bare.system.env, ALM_PROFILE: profile };
  const system = Object.create(bare.system, { env: { value: env } }) as System;
  const loaded = await loadSettings(system, bare.args);
  const settings = { ...loaded.settings, timeout: Math.min(loaded.settings.timeout, maxSeconds) };
  return makeContext({ ...bare, system }, { ...loaded, settings });
}

async function get(bare: BareContext): Promise<number> {
  const server = await readInput(bare.system);
  const profile = (await configOf(bare)).registries.get(hostOf(server));
  if (profile === undefined) {
    bare.system.write(`${notFound}\n`);
    return exitCodeOf('refused');
  }
  const { username, secret } = await requestCredentials(await contextFor(bare, profile));
  bare.system.write(`${JSON.stringify({ ServerURL: server, Username: username, Secret: secret })}\n`);
  return exitCodeOf('done');
}

function parseStored(text: string): { host: string; username: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) && typeof value['ServerURL'] === 'string')
      return { host: hostOf(value['ServerURL']), username: value['Username'] };
  } catch {
    // The input contains a password, so it is not shown.
  }
  throw new CliError('usage', 'The input must be a JSON object with ServerURL, Username and Secret.');
}

/** `docker login` stores what it got from the helper again. Nothing else is stored: the login of alm counts. */
async function store(bare: BareContext): Promise<number> {
  const { host, username } = parseStored(await readInput(bare.system));
  if (username === '<token>' && (await configOf(bare)).registries.has(host)) {
    bare.out.info(`Container tools use the login of alm for ${host}. Nothing was stored.`);
    return exitCodeOf('done');
  }
  throw new CliError('refused', `alm provides the credentials of ${host} and stores no others.`, {
    hints: [
      'To use the login of alm: alm registry login',
      `To let the container tool store credentials: alm registry logout --rurl https://${host}`,
    ],
  });
}

async function erase(bare: BareContext): Promise<number> {
  const host = hostOf(await readInput(bare.system));
  const { system } = bare;
  const path = configPath(system.env, system.home);
  if (!(await readConfig(path)).registries.has(host)) return exitCodeOf('done');
  await changeConfig(system, path, (config) => ({
    ...config,
    registries: new Map([...config.registries].filter(([each]) => each !== host)),
  }));
  return exitCodeOf('done');
}

async function list(bare: BareContext): Promise<number> {
  const hosts = [...(await configOf(bare)).registries.keys()];
  bare.system.write(`${JSON.stringify(Object.fromEntries(hosts.map((host) => [host, '<token>'])))}\n`);
  return exitCodeOf('done');
}

const actions: Readonly<Record<string, (context: BareContext) => Promise<number>>> = {
  get,
  store,
  erase,
  list,
};

/** The protocol of docker's credential helpers. Programs read the reason of a failure from standard output. */
export const provideCredentials: BareRun = async (context) => {
  const action = actions[context.args.required('action')];
  try {
    return (await action?.(context)) ?? exitCodeOf('usage');
  } catch (error) {
    if (error instanceof CliError) context.system.write(`${[error.message, ...error.hints].join(' ')}\n`);
    throw error;
  }
};
