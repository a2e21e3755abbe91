import { StringDecoder } from 'node:string_decoder';
import { CliError, usageError } from '../cli-error.ts';
import type { System } from '../system.ts';
import { TypedSecret } from './typed-secret.ts';

/** Input beyond the current answer, kept for the next question. */
interface Pending {
  decoder: StringDecoder;
  text: string;
}

const pendingOf = new WeakMap<NodeJS.ReadStream, Pending>();

/** Takes an answer from the input. Undefined: more input is needed. Null: the input has ended. */
type Take = (pending: Pending) => string | null | undefined;

const takeLine: Take = (pending) => {
  const end = pending.text.indexOf('\n');
  if (end === -1) return undefined;
  const line = pending.text.slice(0, end);
  pending.text = pending.text.slice(end + 1);
  return line.replace(/\r$/, '');
};

/** The last line may have no newline. */
const takeRest: Take = (pending) => {
  const rest = pending.text + pending.decoder.end();
  pending.text = '';
  return rest === '' ? null : rest;
};

const takeSecret = (): Take => {
  const typed = new TypedSecret();
  return (pending) => {
    const input = pending.text;
    pending.text = '';
    let used = 0;
    for (const key of input) {
      used += key.length;
      const outcome = typed.press(key);
      if (outcome === 'more') continue;
      if (outcome === 'interrupt') throw interrupted();
      // Several pasted lines answer several questions, including those that read lines.
      const rest = input.slice(used);
      pending.text = (key === '\r' ? rest.replace(/^\n/, '') : rest).replaceAll(/\r\n?/g, '\n');
      return outcome === 'end' ? null : typed.text;
    }
    return undefined;
  };
};

const interrupted = (): CliError => new CliError('interrupted', 'Interrupted.');

/** Asks, and waits for an answer on standard input; null if the input ends first. */
function receive(system: System, take: Take, ask: () => void = () => {}): Promise<string | null> {
  const { stdin } = system;
  const pending = pendingOf.get(stdin) ?? { decoder: new StringDecoder('utf8'), text: '' };
  pendingOf.set(stdin, pending);
  return new Promise((resolve, reject) => {
    const tryTake = (takeFrom: Take): void => {
      try {
        const answer = takeFrom(pending);
        if (answer !== undefined) settle(() => resolve(answer));
      } catch (error) {
        settle(() => reject(error));
      }
    };
    const onData = (chunk: Buffer): void => {
      pending.text += pending.decoder.write(chunk);
      tryTake(take);
    };
    const onEnd = (): void => tryTake(takeRest);
    const unsubscribe = system.onInterrupt(() => settle(() => reject(interrupted())));
    let isSettled = false;
    const settle = (finish: () => void): void => {
      isSettled = true;
      stdin.pause();
      // An open pipe must not keep the process alive.
      if (!stdin.isTTY) stdin.unref?.();
      stdin.off('data', onData).off('end', onEnd).off('error', onEnd);
      unsubscribe();
      finish();
    };
    // The user may press Ctrl-C as soon as the question is visible, so subscribe before asking.
    ask();
    tryTake(take);
    if (isSettled) return;
    if (stdin.readableEnded || stdin.destroyed) return onEnd();
    stdin.on('data', onData).on('end', onEnd).on('error', onEnd);
    stdin.ref?.();
    stdin.resume();
  });
}

/** Reads an answer without echo. Restores the terminal in every case. */
async function receiveHidden(system: System, label: string): Promise<string | null> {
  const { stdin, stderr } = system;
  stdin.setRawMode(true);
  try {
    stderr.write(questionFor(label));
    return await receive(system, takeSecret());
  } finally {
    stdin.setRawMode(false);
    stderr.write('\n');
  }
}

const withoutColon = (label: string): string => label.replace(/:\s*$/, '');
const questionFor = (label: string): string => `${withoutColon(label)}: `;

/** Checks that there is an answer. `instead` names the flag or variable to use without a terminal. */
function requireAnswer(answer: string | null, label: string, instead: string | undefined): string {
  const name = withoutColon(label);
  const hints = [instead ? `Use ${instead}` : 'Use a flag; see --help'];
  if (answer === null)
    throw usageError(`"${name}" is required, but standard input ended without an answer.`, ...hints);
  if (answer === '') throw usageError(`"${name}" must not be empty.`, ...hints);
  return answer;
}

/**
 * Asks on the terminal with echo. If standard input is not a terminal, each of its lines answers one question.
 * `instead` names the alternatives to a prompt: `--username or ALM_USERNAME`.
 */
export async function askLine(system: System, label: string, instead?: string): Promise<string> {
  const { stdin, stderr } = system;
  const ask = stdin.isTTY ? () => void stderr.write(questionFor(label)) : undefined;
  const answer = await receive(system, takeLine, ask);
  return requireAnswer(answer === null ? null : answer.trim(), label, instead);
}

/** Asks on a terminal; an empty answer, or none, is the fallback, which the question shows. */
export async function askLineOr(system: System, label: string, fallback: string): Promise<string> {
  const ask = (): void => void system.stderr.write(`${label} [${fallback}]: `);
  return (await receive(system, takeLine, ask))?.trim() || fallback;
}

/** Like `askLine`, but without echo, and white space around the answer is kept. */
export async function askSecret(system: System, label: string, instead?: string): Promise<string> {
  const { stdin } = system;
  const answer = stdin.isTTY ? await receiveHidden(system, label) : await receive(system, takeLine);
  return requireAnswer(answer, label, instead);
}
