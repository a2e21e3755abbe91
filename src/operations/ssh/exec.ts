import { Failure } from '../../basics/failure.ts';
import { runScript, type ScriptRun } from '../../ssh/run-script.ts';
import { digest } from '../access/secret-hash.ts';
import { sanitizeText } from '../agents/sanitize-text.ts';
import type { Service } from '../service.ts';
import { addSshEvent, asSeconds, auditSsh, placeOf, recordFailure, type SshCaller } from './activity-log.ts';
import { asFailure, connectTo } from './connect.ts';
import { acquireSlot } from './connection-slots.ts';
import { chooseTarget, type SshTarget, type TargetRequest } from './target.ts';

/** Limit of each of the two outputs. */
const maxOutputBytes = 1024 * 1024;
const recordedCharacters = 2000;
/** Exit code of the `timeout` command. */
const timedOutCode = 124;

const defaultTimeoutSeconds = 60;

export interface ScriptRequest extends TargetRequest {
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

/** Only the beginning of a long script is recorded; the digest identifies it. */
const commandText = (script: string): string => {
  const text = sanitizeText(script, recordedCharacters);
  const rest = script.length > recordedCharacters ? ` … (${script.length} characters)` : '';
  return `SHA-256 ${digest(script)}: ${text}${rest}`;
};

interface TimedScript {
  target: SshTarget;
  script: string;
  timeoutMs: number;
}

/** Runs until the script ends, the timeout expires, or the server stops. */
async function runWithin(service: Service, { target, script, timeoutMs }: TimedScript) {
  const { client } = await connectTo(service, target);
  const timeout = new AbortController();
  let timedOut = false;
  const cancel = service.clock.after(timeoutMs, () => {
    timedOut = true;
    timeout.abort();
  });
  const signal = AbortSignal.any([timeout.signal, service.stopping]);
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
  { script, timeoutSeconds = defaultTimeoutSeconds }: Pick<ScriptRequest, 'script' | 'timeoutSeconds'>,
): Promise<ExecOutcome> {
  const start = service.clock.now();
  const result = await runWithin(service, { target, script, timeoutMs: timeoutSeconds * 1000 });
  const { stdout, stderr, truncated } = result.run;
  const exitCode = exitCodeOf(result, service);
  const durationMs = service.clock.now() - start;
  return { target, exitCode, stdout, stderr, truncated, timedOut: result.timedOut, durationMs };
}

/** Runs a script on one instance. */
export const runOnInstance = async (
  service: Service,
  caller: SshCaller,
  request: ScriptRequest,
): Promise<ExecOutcome> =>
  runOnTarget(service, { caller, target: await chooseTarget(service, caller.actor, request) }, request);

/** The audit log records the script before it is sent, and afterwards its result. */
export async function runOnTarget(
  service: Service,
  session: { caller: SshCaller; target: SshTarget },
  request: Pick<ScriptRequest, 'script' | 'timeoutSeconds'>,
): Promise<ExecOutcome> {
  const { target } = session;
  const { actor } = session.caller;
  const releaseSlot = acquireSlot(service, actor);
  const place = placeOf(target);
  const audit = (detail: string) => auditSsh(service, session, { detail, status: 200 });
  try {
    await audit(`runs on ${place}, ${commandText(request.script)}`);
    const outcome = await runAndTime(service, target, request).catch(async (error: unknown) => {
      await recordFailure(service, session, { action: 'run a command', error });
      throw error;
    });
    const duration = asSeconds(outcome.durationMs);
    const end = outcome.timedOut
      ? `timed out after ${duration}`
      : `took ${duration}, exit code ${outcome.exitCode}`;
    await audit(`ran on ${place}: ${end}`);
    await addSshEvent(service, actor, { ...target, action: `ran a command on ${place}: it ${end}.` });
    return outcome;
  } finally {
    releaseSlot();
  }
}
