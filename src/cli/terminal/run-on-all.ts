import type { Static } from 'typebox';
import type { runScript } from '../../contract/v3/ssh.ts';
import { CliError } from '../cli-error.ts';
import type { Api } from '../net/api.ts';
import type { ExecTarget } from './exec-target.ts';

export type Outcome = Static<(typeof runScript)['replies'][200]['schema']>;

/** How it went with one target: a script that ended in some way, or why none ran. */
export type Result = { outcome: Outcome } | { trouble: CliError };

interface Script {
  text: string;
  timeoutSeconds: number;
}

/** Half of what the service allows one user at a time. */
const maxAtOnce = 10;
/** The service must find the instance, sign in and tell of it, besides running the script. */
const spareSeconds = 60;

async function runOne(
  api: Api,
  { stackId, user, ip, flag }: ExecTarget,
  script: Script,
  answerSeconds: number,
): Promise<Outcome> {
  const { body } = await api.call<typeof runScript>('POST', '/v3/alm/stack/{stack_id}/exec', {
    params: { stack_id: stackId },
    body: {
      ...(ip ? { ip } : {}),
      ...(flag ? { flag } : {}),
      ...(user ? { user } : {}),
      script: script.text,
      timeout_seconds: script.timeoutSeconds,
    },
    timeoutSeconds: Math.max(answerSeconds, script.timeoutSeconds + spareSeconds),
  });
  return body;
}

/**
 * Many at once; gives the results in the order of the targets, each as soon as it and all before it are there. Only our own
 * mistakes, and a sign-in that is missing for all of them alike, are thrown.
 */
export async function* runOnAll(
  api: Api,
  targets: readonly ExecTarget[],
  script: Script,
  answerSeconds: number,
): AsyncGenerator<Result> {
  const results: Promise<Result | { thrown: unknown }>[] = [];
  let next = 0;
  const startNext = (): void => {
    const target = targets[next];
    if (!target) return;
    next += 1;
    results.push(
      runOne(api, target, script, answerSeconds)
        .then((outcome) => ({ outcome }))
        .catch((error: unknown) => {
          if (error instanceof CliError && error.exitReason !== 'signIn') return { trouble: error };
          next = targets.length;
          return { thrown: error };
        })
        .finally(startNext),
    );
  };
  while (next < Math.min(maxAtOnce, targets.length)) startNext();
  for (let place = 0; place < targets.length; place += 1) {
    const result = await results[place];
    if (!result || 'thrown' in result) throw result?.thrown;
    yield result;
  }
}
