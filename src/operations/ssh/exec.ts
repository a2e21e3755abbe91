import { Failure } from '../../basics/failure.ts';
import { runScript, type ScriptRun } from '../../ssh/run-script.ts';
import { digest } from '../access/secret-hash.ts';
import { reportedText } from '../agents/reported-text.ts';
import type { Service } from '../service.ts';
import { asFailure, connectTo } from './connect.ts';
import { asSeconds, placeOf, recordFailure, recordSsh, type SshCaller, tellStack } from './record.ts';
import { acquireSlot } from './slots.ts';
import { type AskedTarget, chooseTarget, type SshTarget } from './target.ts';

/** Of each of the two outputs. */
const maxOutputBytes = 1024 * 1024;
const recordedCharacters = 2000;
/** What `timeout` answers on a shell. */
const timedOutCode = 124;

export const defaultTimeoutSeconds = 60;

export interface AskedScript extends AskedTarget {
  script: string;
  timeoutSeconds?: number | undefined;
}

export interface ExecOutcome {
  target: SshTarget;
  exitCode: number;
  stdout: Buffer;
  stderr: Buffer;
  truncated: boolean;
  timedOut: boolean;
  durationMs: number;
}

/** Long scripts are recorded by their beginning; the digest tells which one it was. */
const commandText = (script: string): string => {
  const text = reportedText(script, recordedCharacters);
  const rest = script.length > recordedCharacters ? ` … (${script.length} characters)` : '';
  return `SHA-256 ${digest(script)}: ${text}${rest}`;
};

/** Runs until the script ends, its time is up, or the server stops. */
async function runWithin(service: Service, target: SshTarget, script: string, timeoutMs: number) {
  const { client } = await connectTo(service, target);
  const enough = new AbortController();
  let timedOut = false;
  const cancel = service.clock.after(timeoutMs, () => {
    timedOut = true;
    enough.abort();
  });
  const signal = AbortSignal.any([enough.signal, service.stopping]);
  try {
    const run = await runScript(client, { script, maxBytes: maxOutputBytes, signal });
    return { run, timedOut };
  } catch (error) {
    throw asFailure(target, error);
  } finally {
    cancel();
    client.end();
  }
}

function exitCodeOf({ run, timedOut }: { run: ScriptRun; timedOut: boolean }, service: Service): number {
  if (timedOut) return timedOutCode;
  if (run.exitCode !== null) return run.exitCode;
  if (service.stopping.aborted)
    throw new Failure('unavailable', 'The server is stopping; the command may be unfinished');
  throw new Failure(
    'vendor_trouble',
    'The connection to the instance was lost; the command may be unfinished',
  );
}

async function runAndTime(
  service: Service,
  target: SshTarget,
  { script, timeoutSeconds = defaultTimeoutSeconds }: AskedScript,
): Promise<ExecOutcome> {
  const start = service.clock.now();
  const ran = await runWithin(service, target, script, timeoutSeconds * 1000);
  const { stdout, stderr, truncated } = ran.run;
  const exitCode = exitCodeOf(ran, service);
  const durationMs = service.clock.now() - start;
  return { target, exitCode, stdout, stderr, truncated, timedOut: ran.timedOut, durationMs };
}

/** Runs a script on one instance. It is in the audit log before it is on its way, and how it ended after. */
export async function runOnInstance(
  service: Service,
  caller: SshCaller,
  stackId: string,
  asked: AskedScript,
): Promise<ExecOutcome> {
  const target = await chooseTarget(service, caller.actor, stackId, asked);
  const leave = acquireSlot(service, caller.actor);
  const place = placeOf(target);
  const note = (detail: string) => recordSsh(service, caller, target, { detail, status: 200 });
  try {
    await note(`runs on ${place}, ${commandText(asked.script)}`);
    const outcome = await runAndTime(service, target, asked).catch(async (error: unknown) => {
      await recordFailure(service, caller, target, { tried: 'ran a command', error });
      throw error;
    });
    const took = asSeconds(outcome.durationMs);
    const end = outcome.timedOut ? `was ended after ${took}` : `took ${took}, exit code ${outcome.exitCode}`;
    await note(`ran on ${place}: ${end}`);
    await tellStack(service, caller.actor, target, `ran a command on ${place}: it ${end}.`);
    return outcome;
  } finally {
    leave();
  }
}
