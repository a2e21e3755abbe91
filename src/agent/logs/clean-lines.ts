import { type LogLine, shortened } from '../../basics/text/log-line.ts';
import type { AgentLog } from '../log.ts';

const keyBegin = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
const keyEnd = /-----END [A-Z ]*PRIVATE KEY-----/;
/** More than a key has: what follows a begin without an end is not hidden for ever. */
const maxKeyLines = 200;

/**
 * Redacts the lines of one source, one after the other. Keeps track of private keys, whose lines do not look secret alone.
 * Returns nothing for a line inside a key.
 */
export function lineCleaner(log: Pick<AgentLog, 'clean'>): (line: LogLine) => LogLine[] {
  let keyLines = 0;
  return (line) => {
    const isInKey = keyLines > 0;
    if (keyBegin.test(line.text) && !keyEnd.test(line.text)) keyLines = maxKeyLines;
    else keyLines = keyEnd.test(line.text) ? 0 : Math.max(0, keyLines - 1);
    if (isInKey) return [];
    return [{ ...line, text: shortened(log.clean(line.text)) }];
  };
}
