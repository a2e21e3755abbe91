import { checkRules } from './args/check-rules.ts';
import { parse } from './args/parse.ts';
import { CliError } from './cli-error.ts';
import type { Group } from './command.ts';
import { codeOf } from './exit-codes.ts';
import { outputFor, type Request } from './invocation.ts';
import { defaults } from './settings/settings.ts';
import type { System } from './system.ts';
import { Output } from './view/output.ts';

/** Says it in sentences; `--debug` adds where it came from. */
function tellTrouble(error: unknown, out: Output, debug: boolean): number {
  if (!(error instanceof CliError)) {
    const what = error instanceof Error ? error.message : String(error);
    // What an answer lacks is met as a mistake of ours.
    const whose =
      error instanceof TypeError ? 'in alm itself, or what answered is no Almanac' : 'in alm itself';
    out.error(`This is a mistake ${whose}: ${what}`);
    if (!debug) out.more('Where it is: run the same with --debug');
  } else {
    out.error(error.message);
    for (const line of error.lines) for (const part of line.split('\n')) out.more(part);
    for (const hint of error.hints) out.more(`→ ${hint}`);
  }
  if (debug)
    for (let each = error; each instanceof Error; each = each.cause) out.more(each.stack ?? each.message);
  return error instanceof CliError ? error.code : codeOf('refused');
}

const wordsOnly = (system: System): Output =>
  new Output(system, { format: 'raw', indent: defaults.indent, file: undefined });

async function runCommand(request: Request): Promise<number> {
  const { system, command, args } = request;
  if (command.alone) {
    checkRules(command, args, defaults.api_version);
    const run = await command.load();
    return (await run({ ...request, out: outputFor(request, defaults.indent) })) ?? codeOf('done');
  }
  const { loadSettings } = await import('./settings/load-settings.ts');
  const loaded = await loadSettings(system, args, command);
  try {
    const { contextFor } = await import('./make-context.ts');
    const context = contextFor(request, loaded);
    const run = await command.load();
    return (await run(context)) ?? codeOf('done');
  } catch (error) {
    return tellTrouble(error, wordsOnly(system), loaded.settings.debug);
  }
}

/** From the words after `alm` to the exit code. */
export async function runAlm(system: System, groups: readonly Group[]): Promise<number> {
  try {
    if (system.argv[0] === '__complete')
      return await (await import('./completion/complete.ts')).complete(system, groups);
    const parsed = parse(groups, system.argv);
    if (parsed.kind === 'run') return await runCommand({ system, groups, ...parsed });
    const { helpText } = await import('./help/help.ts');
    const help = helpText(groups, parsed.about);
    if (parsed.asked) system.write(help);
    else system.stderr.write(help);
    return codeOf(parsed.asked ? 'done' : 'usage');
  } catch (error) {
    const isDebugging = system.argv.includes('--debug') || /^(?:1|true)$/.test(system.env.ALM_DEBUG ?? '');
    return tellTrouble(error, wordsOnly(system), isDebugging);
  }
}
