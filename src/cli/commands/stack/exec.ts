import { type CliError, usageError } from '../../cli-error.ts';
import type { Context, Run } from '../../command.ts';
import { exitCodeOf } from '../../exit-codes.ts';
import { readInputFile } from '../../files/input-file.ts';
import { stackIdsOf } from '../../names/find-stacks.ts';
import { type ExecTarget, parseTarget } from '../../terminal/exec-target.ts';
import { type ExecResult, type RunResult, runOnAll } from '../../terminal/run-on-all.ts';

async function readScript(context: Context): Promise<string> {
  const { name, text } = await readInputFile(context, 'script');
  if (text === '') throw usageError(`--script: ${name} is empty.`);
  // Invalid bytes were decoded to this character, which would change the script.
  if (text.includes('\uFFFD')) throw usageError(`--script: ${name} is not UTF-8 text.`, 'Save it as UTF-8.');
  return text;
}

const unknown = '-NA-';

interface Place {
  target: ExecTarget;
  /** Number of the target on the command line, from 0. */
  index: number;
}

const describePlace = (
  { target: { stackId, flag = unknown } }: Place,
  { user = unknown, ip = unknown }: { user?: string | undefined; ip?: string | undefined },
): string => `${stackId}, instance: ${user}@${ip}, flag: ${flag}`;

/** Ends the last line on standard error, so that the next message starts on a new one; the data stays unchanged. */
function endLine({ system }: Context, { stdout, stderr }: RunResult): void {
  const last = stderr || stdout;
  if (last !== '' && !last.endsWith('\n')) system.stderr.write('\n');
}

function showOutput(context: Context, place: Place, result: RunResult): void {
  const { out, system } = context;
  out.info(`[${place.index}]output: ${describePlace(place, result)}`);
  // Raw bytes of the instance, as ssh shows them.
  out.data(result.stdout);
  system.stderr.write(result.stderr);
  endLine(context, result);
}

/** Reports a failed script; returns true when it succeeded. */
function checkResult({ out, args }: Context, index: number, result: RunResult): boolean {
  const { exit_code: code, timed_out: timedOut, truncated } = result;
  if (truncated) out.warn(`[${index}]output: truncated to the first MiB.`);
  if (code === 0) return true;
  out.error(
    timedOut
      ? `[${index}]error: the script timed out after ${args.number('script-timeout')} s and was stopped.`
      : `[${index}]error: the script exited with code ${code}.`,
  );
  if (timedOut) out.more('→ To allow more time: --script-timeout <seconds> (at most 600)');
  return false;
}

function reportError({ out }: Context, place: Place, error: CliError): void {
  out.error(`[${place.index}]error: ${describePlace(place, place.target)}`);
  for (const line of [error.message, ...error.lines]) out.more(line);
  for (const hint of error.hints) out.more(`→ ${hint}`);
}

/** The result of one target as JSON. */
const jsonResult = ({ text, stackId, user, ip, flag }: ExecTarget, result: ExecResult) => {
  const request = { target: text, stack_id: stackId, flag: flag ?? null };
  if ('result' in result) return { ...request, ...result.result, error: null };
  const { message, lines } = result.error;
  return {
    ...request,
    instance_id: null,
    ip: ip ?? null,
    user: user ?? null,
    exit_code: null,
    error: [message, ...lines].join('\n'),
  };
};

/** Shows the result of each target as it arrives; returns all of them as JSON, and whether all succeeded. */
async function runAll(context: Context, targets: readonly ExecTarget[], text: string) {
  const { api, args, out, settings } = context;
  const script = { text, timeoutSeconds: args.number('script-timeout') ?? 60 };
  const results: object[] = [];
  let [allSucceeded, lastError]: [boolean, CliError | null] = [true, null];
  for await (const result of runOnAll({ api, targets, script, responseSeconds: settings.timeout })) {
    const { target } = result;
    const place = { target, index: results.length };
    results.push(jsonResult(target, result));
    if ('error' in result) {
      [allSucceeded, lastError] = [false, result.error];
      if (targets.length > 1) reportError(context, place, result.error);
      continue;
    }
    if (out.format === 'table') showOutput(context, place, result.result);
    allSucceeded = checkResult(context, place.index, result.result) && allSucceeded;
  }
  return { results, allSucceeded, lastError };
}

/** A target may name its stack by nickname. */
async function withStackIds(context: Context, targets: readonly ExecTarget[]): Promise<ExecTarget[]> {
  const idOf = await stackIdsOf(
    context,
    targets.map(({ stackId }) => stackId),
  );
  return targets.map((target) => ({ ...target, stackId: idOf(target.stackId) }));
}

export const runScripts: Run = async (context) => {
  const { args, out } = context;
  const targets = await withStackIds(context, args.list('target').map(parseTarget));
  const { results, allSucceeded, lastError } = await runAll(context, targets, await readScript(context));
  if (out.format !== 'table') await out.document(JSON.stringify(results));
  // The error of a single target ends the command like any other error.
  if (lastError && targets.length === 1) throw lastError;
  return exitCodeOf(allSucceeded ? 'done' : 'operationFailed');
};
