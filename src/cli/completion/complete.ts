import type { Group } from '../command.ts';
import { exitCodeOf } from '../exit-codes.ts';
import type { System } from '../system.ts';
import { oneLine, stripControls } from '../view/colour.ts';
import type { Candidate } from './candidate.ts';
import { candidatesFor } from './candidates-for.ts';
import { parsePartial } from './partial-line.ts';

const lineOf = ({ word, about }: Candidate): string =>
  about === '' ? `${stripControls(word)}\n` : `${stripControls(word)}\t${oneLine(about).trim()}\n`;

/**
 * Prints the candidates for the next word, for the shell scripts: one per line with its description after a tab, or `:files` when
 * the shell should complete file names. Errors are not reported, because they would disturb the user's command line.
 */
export async function complete(system: System, groups: readonly Group[]): Promise<number> {
  try {
    const line = parsePartial(groups, system.argv.slice(1));
    const found = await candidatesFor(system, groups, line);
    const lines =
      found === 'files' ? [':files\n'] : found.filter(({ word }) => word.startsWith(line.last)).map(lineOf);
    system.write(lines.join(''));
  } catch {
    // No candidates.
  }
  return exitCodeOf('done');
}
