import type { Group } from '../command.ts';
import { exitCodeOf } from '../exit-codes.ts';
import type { System } from '../system.ts';
import { oneLine, stripControls } from '../view/colour.ts';
import type { Candidate } from './candidate.ts';
import { readTyped } from './typed.ts';
import { whatMayFollow } from './what-may-follow.ts';

const lineOf = ({ word, about }: Candidate): string =>
  about === '' ? `${stripControls(word)}\n` : `${stripControls(word)}\t${oneLine(about).trim()}\n`;

/**
 * What may come next on the command line, asked for by the shells: a line for each word, its meaning after a tab, or
 * `:files` where the shell is to look for files. Somebody is typing meanwhile, so whatever goes wrong is not mentioned.
 */
export async function complete(system: System, groups: readonly Group[]): Promise<number> {
  try {
    const typed = readTyped(groups, system.argv.slice(1));
    const found = await whatMayFollow(system, groups, typed);
    const lines =
      found === 'files' ? [':files\n'] : found.filter(({ word }) => word.startsWith(typed.last)).map(lineOf);
    system.write(lines.join(''));
  } catch {
    // Nothing to offer.
  }
  return exitCodeOf('done');
}
