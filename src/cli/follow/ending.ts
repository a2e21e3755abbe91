import { CliError } from '../cli-error.ts';
import { inWords } from './texts.ts';
import type { Outcome } from './watch.ts';

export interface Awaited {
  stackId: string;
  /** What must be in force at the end; another version there means that somebody else's change took over. */
  versionId?: string | undefined;
}

const secondsBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000;

/** ` after 12 s`, where that is known. */
const afterHowLong = ({ began, ended }: Outcome): string => {
  const seconds = began && ended ? secondsBetween(began.time, ended.time) : Number.NaN;
  return seconds >= 0 ? ` after ${inWords(seconds)}` : '';
};

/** `Stack mo-1 is CREATE_COMPLETE after 12 s` */
export const sentenceOf = ({ stackId }: Awaited, outcome: Outcome): string =>
  `Stack ${stackId} is ${outcome.now.status}${afterHowLong(outcome)}`;

const isDeletion = (status: string): boolean => status.startsWith('DELETE_');

function deletedMeanwhile({ stackId }: Awaited, { now, asked }: Outcome): CliError {
  const isDeleted = now.status === 'DELETE_COMPLETE';
  return new CliError(
    'operationFailed',
    isDeleted
      ? `Stack ${stackId} was deleted meanwhile: what you waited for did not come to its end.`
      : `Somebody wanted stack ${stackId} deleted meanwhile, and it is ${now.status}.`,
    { lines: [asked?.message ?? '', now.reason].filter((line) => line !== '') },
  );
}

const takenOver = (awaited: Awaited, outcome: Outcome): CliError =>
  new CliError(
    'operationFailed',
    `${sentenceOf(awaited, outcome)}, but not with your change: it was cancelled, or another one took its place.`,
    {
      lines: [
        ...(outcome.asked ? [outcome.asked.message] : []),
        `yours: version ${awaited.versionId ?? ''}; in force: version ${outcome.now.versionId ?? ''}`,
      ],
    },
  );

/** What is bad about how it ended; null when it is as it should be. */
export function badEnding(awaited: Awaited, outcome: Outcome): CliError | null {
  const { now, began } = outcome;
  const awaitsDeletion = awaited.versionId === undefined && isDeletion(began?.status ?? now.status);
  if (isDeletion(now.status) && !awaitsDeletion) return deletedMeanwhile(awaited, outcome);
  if (awaited.versionId !== undefined && now.versionId !== awaited.versionId)
    return takenOver(awaited, outcome);
  if (!now.status.endsWith('_FAILED')) return null;
  const reason = now.reason === '' ? '.' : `: ${now.reason}`;
  return new CliError('operationFailed', `${sentenceOf(awaited, outcome)}${reason}`);
}
