import type { Static } from 'typebox';
import type { runScript } from '../../contract/v3/ssh.ts';
import { CliError } from '../cli-error.ts';
import type { Api } from '../net/api.ts';
import type { ExecTarget } from './exec-target.ts';

export type RunResult = Static<(typeof runScript)['replies'][200]['schema']>;

/** Result of one target: the output of the script, or the error that prevented it from running. */
export type ExecResult = { target: ExecTarget } & ({ result: RunResult } | { error: CliError });

interface RunOptions {
  api: Api;
  targets: readonly ExecTarget[];
  script: { text: string; timeoutSeconds: number };
  /** Timeout of a request, not counting the time of the script. */
  responseSeconds: number;
}

/** Half of what the service allows one user at a time. */
const maxConcurrency = 10;
/** Besides running the script, the service must find the instance and connect to it. */
const overheadSeconds = 60;

async function runOne({ api, script, responseSeconds }: RunOptions, target: ExecTarget): Promise<RunResult> {
  const { stackId, user, ip, flag } = target;
  const { body } = await api.call<typeof runScript>('POST', '/v3/alm/stack/{stack_id}/exec', {
    params: { stack_id: stackId },
    body: {
      ...(ip ? { ip } : {}),
      ...(flag ? { flag } : {}),
      ...(user ? { user } : {}),
      script: script.text,
      timeout_seconds: script.timeoutSeconds,
    },
    timeoutSeconds: Math.max(responseSeconds, script.timeoutSeconds + overheadSeconds),
  });
  return body;
}

/**
 * Runs the script on many targets concurrently. Yields the results in the order of the targets, each as soon as it and all
 * before it are available. Throws only internal errors and a missing sign-in, which affects all targets.
 */
export async function* runOnAll(options: RunOptions): AsyncGenerator<ExecResult> {
  const { targets } = options;
  const results: Promise<ExecResult | { thrown: unknown }>[] = [];
  let next = 0;
  const startNext = (): void => {
    const target = targets[next];
    if (!target) return;
    next += 1;
    results.push(
      runOne(options, target)
        .then((result) => ({ target, result }))
        .catch((error: unknown) => {
          if (error instanceof CliError && error.exitReason !== 'signIn') return { target, error };
          next = targets.length;
          return { thrown: error };
        })
        .finally(startNext),
    );
  };
  while (next < Math.min(maxConcurrency, targets.length)) startNext();
  for (let index = 0; index < targets.length; index += 1) {
    const result = await results[index];
    if (!result || 'thrown' in result) throw result?.thrown;
    yield result;
  }
}
