import type { Clock } from '../../basics/clock.ts';
import type { ApiVersion } from '../args/flag.ts';
import { Api } from '../net/api.ts';
import { noTrace } from '../net/trace.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { tokenSource } from '../stores/token-source.ts';
import type { System } from '../system.ts';
import type { PartialLine } from './partial-line.ts';

/** Deadline of a completion: the user is waiting at the command line. */
const deadlineMs = 2000;

/** A clock whose timers fire at the deadline at the latest, which limits pauses and request timeouts. */
function clockWithDeadline(clock: Clock, ms: number): Clock {
  const deadline = clock.now() + ms;
  return {
    now: () => clock.now(),
    after: (delay, callback) => clock.after(Math.max(0, Math.min(delay, deadline - clock.now())), callback),
  };
}

/** The system with a deadline and without prompts or messages. A prototype, because a copy would open standard input. */
const quietSystem = (system: System): System =>
  Object.create(system, {
    clock: { value: clockWithDeadline(system.clock, deadlineMs) },
    stdin: { value: { isTTY: false } },
    stderr: { value: { write: () => true } },
  }) as System;

/** The API client that the command would use, with a deadline and without output. */
export async function apiFor(system: System, { args }: PartialLine): Promise<Api> {
  const quiet = quietSystem(system);
  const { profile, saved, settings } = await loadSettings(quiet, args);
  const tokens = tokenSource({
    system: quiet,
    args,
    settings,
    profile,
    savedFor: saved.api_url,
    trace: noTrace,
  });
  return new Api({ system: quiet, settings, tokens, trace: noTrace });
}

/** The API version that the command will use. */
export async function apiVersion(system: System, { command, args }: PartialLine): Promise<ApiVersion> {
  try {
    return command?.only ?? (await loadSettings(system, args)).settings.api_version;
  } catch {
    return 'v3';
  }
}
