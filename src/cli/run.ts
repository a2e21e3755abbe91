import { checkRules } from './args/check-rules.ts';
import { isStackFlag } from './args/flag.ts';
import { parse } from './args/parse.ts';
import { CliError } from './cli-error.ts';
import type { Context, Group, Invocation } from './command.ts';
import { exitCodeOf } from './exit-codes.ts';
import { makeOutput } from './make-output.ts';
import type { LoadedSettings } from './settings/load-settings.ts';
import { defaults } from './settings/settings.ts';
import type { System } from './system.ts';
import { Output } from './view/output.ts';

function printCliError(error: CliError, out: Output): void {
  out.error(error.message);
  for (const line of error.lines) for (const part of line.split('\n')) out.more(part);
  for (const hint of error.hints) out.more(`→ ${hint}`);
}

function printInternalError(error: unknown, out: Output, debug: boolean): void {
  const message = error instanceof Error ? error.message : String(error);
  // A member missing in the response of another server shows up as a TypeError.
  const where = error instanceof TypeError ? 'in alm, or the server at this URL is not Almanac' : 'in alm';
  out.error(`Internal error ${where}: ${message}`);
  if (!debug) out.more('For the stack trace, run the same command with --debug');
}

/** Prints an error, with its stack trace when `debug` is set. Returns the exit code. */
function reportError(error: unknown, system: System, debug: boolean): number {
  const out = new Output(system, { format: 'raw', indent: defaults.indent, file: undefined });
  if (error instanceof CliError) printCliError(error, out);
  else printInternalError(error, out, debug);
  if (debug)
    for (let each = error; each instanceof Error; each = each.cause) out.more(each.stack ?? each.message);
  return error instanceof CliError ? error.code : exitCodeOf('refused');
}

async function contextFor(invocation: Invocation, loaded: LoadedSettings): Promise<Context> {
  if (invocation.command.flags.some(isStackFlag))
    return (await import('./names/context-with-stack.ts')).contextWithStack(invocation, loaded);
  return (await import('./make-context.ts')).makeContext(invocation, loaded);
}

async function runCommand(invocation: Invocation): Promise<number> {
  const { system, command, args } = invocation;
  if (command.standalone) {
    checkRules(command, args, defaults.api_version);
    const run = await command.load();
    return (await run({ ...invocation, out: makeOutput(invocation, defaults.indent) })) ?? exitCodeOf('done');
  }
  const { loadSettings } = await import('./settings/load-settings.ts');
  const loaded = await loadSettings(system, args, command);
  try {
    const context = await contextFor(invocation, loaded);
    const run = await command.load();
    return (await run(context)) ?? exitCodeOf('done');
  } catch (error) {
    return reportError(error, system, loaded.settings.debug);
  }
}

/** Runs `alm` with the arguments of the process. Returns the exit code. */
export async function runAlm(system: System, groups: readonly Group[]): Promise<number> {
  try {
    if (system.argv[0] === '__complete')
      return await (await import('./completion/complete.ts')).complete(system, groups);
    const parsed = parse(groups, system.argv);
    if (parsed.kind === 'run') return await runCommand({ system, groups, ...parsed });
    const { helpText } = await import('./help/help.ts');
    const help = helpText(groups, parsed.about);
    if (parsed.isRequested) system.write(help);
    else system.stderr.write(help);
    return exitCodeOf(parsed.isRequested ? 'done' : 'usage');
  } catch (error) {
    const isDebugging = system.argv.includes('--debug') || /^(?:1|true)$/.test(system.env.ALM_DEBUG ?? '');
    return reportError(error, system, isDebugging);
  }
}
