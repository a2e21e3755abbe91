import type { Clock } from '../../basics/clock.ts';
import type { listV2Stacks } from '../../contract/v2/stacks.ts';
import type { listVendorCredentials } from '../../contract/v3/credentials.ts';
import type { listStacks } from '../../contract/v3/stacks.ts';
import type { ApiVersion } from '../args/flag.ts';
import { Api } from '../net/api.ts';
import { noTrace } from '../net/trace.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { tokenSource } from '../stores/token-source.ts';
import type { System } from '../system.ts';
import type { Candidate } from './candidate.ts';
import type { Typed } from './typed.ts';

/** Whoever pressed a key waits no longer than this. */
const patienceMs = 2000;

/** Nothing on it happens later than `ms` from now: not the end of a pause, nor the end of patience with a server. */
function hurriedClock(clock: Clock, ms: number): Clock {
  const end = clock.now() + ms;
  return {
    now: () => clock.now(),
    after: (wanted, callback) => clock.after(Math.max(0, Math.min(wanted, end - clock.now())), callback),
  };
}

/** The same system in a hurry, with nobody there to ask or to tell. Not a copy: that would open standard input. */
const hurried = (system: System): System =>
  Object.create(system, {
    clock: { value: hurriedClock(system.clock, patienceMs) },
    stdin: { value: { isTTY: false } },
    stderr: { value: { write: () => true } },
  }) as System;

/** The service as the command itself would call it, but quick and quiet. */
export async function apiFor(args: System, typed: Typed): Promise<Api> {
  const system = hurried(args);
  const { profile, saved, settings } = await loadSettings(system, typed.args);
  const asked = {
    system,
    args: typed.args,
    settings,
    profile,
    savedFor: saved.api_url,
    trace: noTrace,
  };
  return new Api({ system, settings, tokens: tokenSource(asked), trace: noTrace });
}

const limit = 1000;

export async function stackIds(
  system: System,
  typed: Typed,
  version: ApiVersion,
): Promise<readonly Candidate[]> {
  const api = await apiFor(system, typed);
  const { body } =
    version === 'v2'
      ? await api.call<typeof listV2Stacks>('GET', '/v2/alm/stack', { query: { limit } })
      : await api.call<typeof listStacks>('GET', '/v3/alm/stack', { query: { limit } });
  return body.map(({ stack_id: word, nickname, stack_status: status }) => ({
    word,
    about: `${nickname}, ${status}`,
  }));
}

export async function credentialIds(system: System, typed: Typed): Promise<readonly Candidate[]> {
  const hasVendor = typed.flags.some(({ name }) => name === 'vendor');
  const vendor = (hasVendor ? typed.args.text('vendor') : undefined) ?? 'aws';
  const { body } = await (await apiFor(system, typed)).call<typeof listVendorCredentials>(
    'GET',
    '/v3/credentials/{vendor}',
    { params: { vendor } },
  );
  return body.map(({ id, account }) => ({ word: id, about: account }));
}
