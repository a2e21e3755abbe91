import { type CliError, usageError } from '../../cli-error.ts';
import type { Context, Run } from '../../command.ts';
import { exitCodeOf } from '../../exit-codes.ts';
import { readInputFile } from '../../files/input-file.ts';
import { type ExecTarget, readTarget } from '../../terminal/exec-target.ts';
import { type Outcome, type Result, runOnAll } from '../../terminal/run-on-all.ts';

async function readScript(context: Context): Promise<string> {
  const { name, text } = await readInputFile(context, 'script');
  if (text === '') throw usageError(`--script: ${name} is empty.`);
  // What could not be read as text stands there as this sign, and would run as another script.
  if (text.includes('\uFFFD')) throw usageError(`--script: ${name} is not UTF-8 text.`, 'Save it as UTF-8.');
  return text;
}

const missing = '-NA-';

const placeOf = ({ stackId, flag = missing }: ExecTarget, user = missing, ip = missing): string =>
  `${stackId}, instance: ${user}@${ip}, flag: ${flag}`;

/** What follows begins on a line of its own, for people and for programs that read both; the data itself stays as it is. */
function endLine({ system }: Context, { stdout, stderr }: Outcome): void {
  const last = stderr || stdout;
  if (last !== '' && !last.endsWith('\n')) system.stderr.write('\n');
}

function showOutput(context: Context, place: number, target: ExecTarget, outcome: Outcome): void {
  const { out, system } = context;
  const { user, ip, stdout, stderr } = outcome;
  out.info(`[${place}]output: ${placeOf(target, user, ip)}`);
  // Bytes of the instance as they are, as ssh shows them.
  out.data(stdout);
  system.stderr.write(stderr);
  endLine(context, outcome);
}

/** True when it ended well; says so when it did not. */
function judge({ out, args }: Context, place: number, outcome: Outcome): boolean {
  const { exit_code: code, timed_out: timedOut, truncated } = outcome;
  if (truncated) out.warn(`[${place}]output: only the first MiB of it is here; there was more.`);
  if (code === 0) return true;
  out.error(
    timedOut
      ? `[${place}]error: the script was ended after ${args.number('script-timeout')} s.`
      : `[${place}]error: the script ended with exit code ${code}.`,
  );
  if (timedOut) out.more('→ More time: --script-timeout <seconds>, 600 at most');
  return false;
}

function tellTrouble({ out }: Context, place: number, target: ExecTarget, trouble: CliError): void {
  out.error(`[${place}]error: ${placeOf(target, target.user, target.ip)}`);
  for (const line of [trouble.message, ...trouble.lines]) out.more(line);
  for (const hint of trouble.hints) out.more(`→ ${hint}`);
}

/** What programs get of one target. */
const asMember = ({ text, stackId, user, ip, flag }: ExecTarget, result: Result) => {
  const asked = { target: text, stack_id: stackId, flag: flag ?? null };
  if ('outcome' in result) return { ...asked, ...result.outcome, error: null };
  const { message, lines } = result.trouble;
  return {
    ...asked,
    instance_id: null,
    ip: ip ?? null,
    user: user ?? null,
    exit_code: null,
    error: [message, ...lines].join('\n'),
  };
};

/** Shows each target's result as it comes; gives whether all ended well, and all of them for programs. */
async function runAll(context: Context, targets: readonly ExecTarget[], text: string) {
  const { api, args, out, settings } = context;
  const script = { text, timeoutSeconds: args.number('script-timeout') ?? 60 };
  const members: object[] = [];
  let [allWell, lastTrouble]: [boolean, CliError | null] = [true, null];
  for await (const result of runOnAll(api, targets, script, settings.timeout)) {
    const place = members.length;
    const target = targets[place] as ExecTarget;
    members.push(asMember(target, result));
    if ('trouble' in result) {
      [allWell, lastTrouble] = [false, result.trouble];
      if (targets.length > 1) tellTrouble(context, place, target, result.trouble);
      continue;
    }
    if (out.format === 'table') showOutput(context, place, target, result.outcome);
    allWell = judge(context, place, result.outcome) && allWell;
  }
  return { members, allWell, lastTrouble };
}

export const runScripts: Run = async (context) => {
  const { args, out } = context;
  const targets = args.list('target').map(readTarget);
  const { members, allWell, lastTrouble } = await runAll(context, targets, await readScript(context));
  if (out.format !== 'table') await out.document(JSON.stringify(members));
  // Alone, it is told as of any other command.
  if (lastTrouble && targets.length === 1) throw lastTrouble;
  return exitCodeOf(allWell ? 'done' : 'operationFailed');
};
