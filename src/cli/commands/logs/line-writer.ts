import type { Context } from '../../command.ts';
import { painter, stripControls } from '../../view/colour.ts';
import { yamlOptions } from '../../view/yaml-options.ts';
import type { LogLine } from './log-calls.ts';

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** `2030-01-01 12:00:01`, in the local time. */
const localTime = (text: string): string => {
  const time = new Date(text);
  const date = [time.getFullYear(), time.getMonth() + 1, time.getDate()].map(twoDigits).join('-');
  return `${date} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits).join(':')}`;
};

/** A line for people: time, layer, instance, who wrote it, text. */
function lineText(line: LogLine, paint: ReturnType<typeof painter>): string {
  const { time, flag, instance_id, source, container, stream, text } = line;
  const writer = source === 'agent' ? 'agent' : container;
  const place = stripControls([flag, instance_id, writer].filter((part) => part !== '').join(' '));
  const shown = stripControls(text);
  return `${paint('faint', localTime(time))} ${paint('strong', place)} ${stream === 'stderr' ? paint('busy', shown) : shown}\n`;
}

/** Returns a function that writes one line: for people, as a YAML list item, or for all JSON formats as one object. */
export async function lineWriter({ args, out, system }: Context): Promise<(line: LogLine) => void> {
  if (out.format === 'table') {
    const paint = painter({ isTTY: !args.has('out') && system.stdoutIsTty }, system.env);
    return (line) => out.data(lineText(line, paint));
  }
  if (out.format !== 'yaml') return (line) => out.data(`${JSON.stringify(line)}\n`);
  const { stringify } = await import('yaml');
  return (line) => out.data(stringify([line], yamlOptions));
}
