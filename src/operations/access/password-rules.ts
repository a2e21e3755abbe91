import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { Failure } from '../../basics/failure.ts';
import type { Secret } from '../../basics/secret.ts';

/** The time to judge a password grows with its length: what follows these characters is not looked at. */
const judgedLength = 32;
/** Bounds the time for characters that may stand for others, such as `@` for `a`. */
const maxSubstitutions = 5;
/** Of 0 to 4: about 10^8 guesses. */
const sufficientScore = 3;

let judge: Promise<ZxcvbnFactory> | undefined;

/** Loaded when first needed: the lists of common passwords and words take time and memory. */
const loadJudge = (): Promise<ZxcvbnFactory> =>
  (judge ??= (async () => {
    const [{ ZxcvbnFactory: Factory }, { adjacencyGraphs, dictionary }] = await Promise.all([
      import('@zxcvbn-ts/core'),
      import('@zxcvbn-ts/language-common'),
    ]);
    return new Factory({
      dictionary,
      graphs: adjacencyGraphs,
      maxLength: judgedLength,
      l33tMaxSubstitutions: maxSubstitutions,
    });
  })());

const common = 'it is a common password, or close to one';
const repetition = 'it repeats characters or words';

/** By the warnings of the judge. */
const reasons: Readonly<Record<string, string>> = {
  topTen: common,
  topHundred: common,
  common,
  similarToCommon: common,
  userInputs: 'it contains the user name or a word that belongs to this service',
  straightRow: 'it is a row of keys',
  keyPattern: 'it is a pattern on the keyboard',
  simpleRepeat: repetition,
  extendedRepeat: repetition,
  sequences: 'it is a sequence such as abc or 6543',
  recentYears: 'it contains a recent year',
  dates: 'it contains a date',
  wordByItself: 'it is a single word',
};

const otherReason = 'it is too short, or made of few common words';

/** Whose password it is, as far as guesses could start from it. */
export interface PasswordOwner {
  username: string;
  accountId?: string;
  email?: string;
}

const contextWords = ({ username, accountId = '', email = '' }: PasswordOwner): string[] =>
  [username, ...username.split(/[^A-Za-z0-9]+/), ...email.split('@'), accountId, 'almanac']
    .filter((word) => word.length > 2)
    .map((word) => word.toLowerCase());

/** Why the password is too easy to guess; null: it is not. */
export async function findPasswordWeakness(password: Secret, owner: PasswordOwner): Promise<string | null> {
  const { score, feedback } = (await loadJudge()).check(
    password.reveal().slice(0, judgedLength),
    contextWords(owner),
  );
  return score >= sufficientScore ? null : (reasons[feedback.warning ?? ''] ?? otherReason);
}

/** Refuses a password that is easy to guess. Applies to new passwords only; existing ones stay valid. */
export async function refuseWeakPassword(password: Secret, owner: PasswordOwner): Promise<void> {
  const weakness = await findPasswordWeakness(password, owner);
  if (weakness === null) return;
  const message = `password is too easy to guess: ${weakness}`;
  throw new Failure('invalid_request', message, {
    description: `Use several uncommon words, or let a password manager choose one. Only the first ${judgedLength} characters are judged.`,
    problems: [{ path: 'password', message }],
  });
}
