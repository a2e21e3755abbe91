import { StringDecoder } from 'node:string_decoder';
import { CliError, wrongUsage } from '../cli-error.ts';
import type { System } from '../system.ts';
import { TypedSecret } from './typed-secret.ts';

/** What came beyond the line that was asked for: it answers the next question. */
interface Pending {
  decoder: StringDecoder;
  text: string;
}

const pendingOf = new WeakMap<NodeJS.ReadStream, Pending>();

/** Takes an answer out of what came. Undefined: more has to come. Null: no more will come. */
type Take = (pending: Pending) => string | null | undefined;

const takeLine: Take = (pending) => {
  const end = pending.text.indexOf('\n');
  if (end === -1) return undefined;
  const line = pending.text.slice(0, end);
  pending.text = pending.text.slice(end + 1);
  return line.replace(/\r$/, '');
};

/** A last line may lack its end. */
const takeRest: Take = (pending) => {
  const rest = pending.text + pending.decoder.end();
  pending.text = '';
  return rest === '' ? null : rest;
};

const takeSecret = (): Take => {
  const typed = new TypedSecret();
  return (pending) => {
    const before = pending.text;
    pending.text = '';
    let used = 0;
    for (const key of before) {
      used += key.length;
      const outcome = typed.press(key);
      if (outcome === 'more') continue;
      if (outcome === 'interrupt') throw interrupted();
      // Several lines pasted at once answer several questions, also those that read lines.
      const rest = before.slice(used);
      pending.text = (key === '\r' ? rest.replace(/^\n/, '') : rest).replaceAll(/\r\n?/g, '\n');
      return outcome === 'end' ? null : typed.text;
    }
    return undefined;
  };
};

const interrupted = (): CliError => new CliError('interrupted', 'Interrupted.');

/** Asks, and waits for standard input until there is an answer; null when it ends before. */
function receive(system: System, take: Take, ask: () => void = () => {}): Promise<string | null> {
  const { stdin } = system;
  const pending = pendingOf.get(stdin) ?? { decoder: new StringDecoder('utf8'), text: '' };
  pendingOf.set(stdin, pending);
  return new Promise((resolve, reject) => {
    const look = (by: Take): void => {
      try {
        const answer = by(pending);
        if (answer !== undefined) settle(() => resolve(answer));
      } catch (error) {
        settle(() => reject(error));
      }
    };
    const onData = (chunk: Buffer): void => {
      pending.text += pending.decoder.write(chunk);
      look(take);
    };
    const onEnd = (): void => look(takeRest);
    const stopListening = system.onInterrupt(() => settle(() => reject(interrupted())));
    let isSettled = false;
    const settle = (how: () => void): void => {
      isSettled = true;
      stdin.pause();
      // A pipe that stays open must not keep us from ending.
      if (!stdin.isTTY) stdin.unref?.();
      stdin.off('data', onData).off('end', onEnd).off('error', onEnd);
      stopListening();
      how();
    };
    // Whoever sees the question may press Ctrl-C at once.
    ask();
    look(take);
    if (isSettled) return;
    if (stdin.readableEnded || stdin.destroyed) return onEnd();
    stdin.on('data', onData).on('end', onEnd).on('error', onEnd);
    stdin.ref?.();
    stdin.resume();
  });
}

/** Typed keys are not shown while this runs, and the terminal is as before when it has ended, however it ended. */
async function receiveHidden(system: System, label: string): Promise<string | null> {
  const { stdin, stderr } = system;
  stdin.setRawMode(true);
  try {
    stderr.write(shown(label));
    return await receive(system, takeSecret());
  } finally {
    stdin.setRawMode(false);
    stderr.write('\n');
  }
}

const withoutColon = (label: string): string => label.replace(/:\s*$/, '');
const shown = (label: string): string => `${withoutColon(label)}: `;

function accepted(answer: string | null, label: string, instead: string | undefined): string {
  const asked = withoutColon(label);
  const hints = [instead ? `Give it as ${instead}` : 'It can be given as a flag; see --help'];
  if (answer === null)
    throw wrongUsage(`"${asked}" was asked for, but standard input ended without an answer.`, ...hints);
  if (answer === '') throw wrongUsage(`"${asked}" was left empty.`, ...hints);
  return answer;
}

/**
 * Asks on the terminal and shows what is typed. Where standard input is no terminal, its lines answer one question
 * each. `instead` says what would have answered without asking: `--username or ALM_USERNAME`.
 */
export async function askLine(system: System, label: string, instead?: string): Promise<string> {
  const { stdin, stderr } = system;
  const ask = stdin.isTTY ? () => void stderr.write(shown(label)) : undefined;
  const answer = await receive(system, takeLine, ask);
  return accepted(answer === null ? null : answer.trim(), label, instead);
}

/** Like `askLine`, but what is typed is not shown, and white space around it counts. */
export async function askSecret(system: System, label: string, instead?: string): Promise<string> {
  const { stdin } = system;
  const answer = stdin.isTTY ? await receiveHidden(system, label) : await receive(system, takeLine);
  return accepted(answer, label, instead);
}
