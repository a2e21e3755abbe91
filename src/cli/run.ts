import { Api } from './api.ts';
import { checkRules } from './check-rules.ts';
import type { Command, Context, Group } from './command.ts';
import { othersCanRead } from './config-file.ts';
import { codeOf } from './exit-codes.ts';
import type { Format } from './flag.ts';
import type { Given } from './given.ts';
import { loadSettings } from './load-settings.ts';
import { Output } from './output.ts';
import { parse } from './parse.ts';
import type { System } from './system.ts';
import { tokenSource } from './tokens.ts';
import { loudTrace, silentTrace } from './trace.ts';
import { Trouble } from './trouble.ts';

interface Request {
  command: Command;
  given: Given;
}

/** Says it in sentences; `--debug` adds where it came from. */
function tellTrouble(error: unknown, out: Output, debug: boolean): number {
  if (!(error instanceof Trouble)) {
    out.error(`This is a mistake in alm itself: ${error instanceof Error ? error.message : String(error)}`);
    if (!debug) out.more('Where it is: run the same with --debug');
  } else {
    out.error(error.message);
    for (const line of error.lines) for (const part of line.split('\n')) out.more(part);
    for (const hint of error.hints) out.more(`→ ${hint}`);
  }
  if (debug)
    for (let each = error; each instanceof Error; each = each.cause) out.more(each.stack ?? each.message);
  return error instanceof Trouble ? error.code : codeOf('refused');
}

const outputFor = (system: System, { command, given }: Request, indent: number): Output =>
  new Output(system, {
    // The rules have made sure that it is one.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    format: (given.text('fmt') as Format | undefined) ?? command.formats[0] ?? 'raw',
    indent,
    file: given.text('out'),
  });

async function contextFor(system: System, request: Request, groups: readonly Group[]): Promise<Context> {
  const { command, given } = request;
  const { config, profile, saved, settings } = await loadSettings(system, given, command);
  const version = command.only ?? settings.api_version;
  checkRules(command, given, settings.api_version);
  const out = outputFor(system, request, settings.indent);
  out.mustBeWritable();
  if (saved.access_token !== '' && othersCanRead(config.path, system.platform))
    out.warn(`Others can read ${config.path}, and the token in it. Mend it: chmod 600 ${config.path}`);
  const trace = settings.verbose ? loudTrace(system.clock, (line) => out.info(line)) : silentTrace;
  const tokens = tokenSource({ system, given, settings, profile, savedFor: saved.api_url, trace });
  const api = new Api({ clock: system.clock, settings, tokens, trace });
  return {
    command,
    given,
    groups,
    system,
    settings,
    version,
    config,
    profile,
    api,
    out,
    trace,
  };
}

async function runCommand(system: System, request: Request, groups: readonly Group[]): Promise<number> {
  const run = await request.command.load();
  const context = await contextFor(system, request, groups);
  try {
    return (await run(context)) ?? codeOf('done');
  } catch (error) {
    return tellTrouble(error, context.out, context.settings.debug);
  }
}

/** From the words after `alm` to the exit code. */
export async function runAlm(system: System, groups: readonly Group[]): Promise<number> {
  const plain = new Output(system, { format: 'raw', indent: 2, file: undefined });
  try {
    if (system.argv[0] === '__complete')
      return await (await import('./complete.ts')).complete(system, groups);
    const parsed = parse(groups, system.argv);
    if (parsed.kind === 'run') return await runCommand(system, parsed, groups);
    const { helpText } = await import('./help.ts');
    (parsed.asked ? system.stdout : system.stderr).write(helpText(groups, parsed.about));
    return codeOf(parsed.asked ? 'done' : 'usage');
  } catch (error) {
    return tellTrouble(error, plain, system.argv.includes('--debug'));
  }
}
