import type { SuccessOf } from '../../../contract/route.ts';
import type { compareClouds } from '../../../contract/v3/cloud/portability.ts';
import type { Tone } from '../../parts/status/status.ts';

export type Cloud = SuccessOf<typeof compareClouds>['clouds'][number];
export type CloudRow = Cloud['rows'][number];
type Result = Cloud['result'];
type Note = CloudRow['notes'][number];

export const tones = {
  maps: 'good',
  changes: 'warn',
  refused: 'bad',
  unknown: 'none',
} as const satisfies Record<Result, Tone>;

const kinds: Readonly<Record<Note['kind'], string>> = {
  refused: 'Refused',
  change: 'Changes',
  default: 'Default',
  at_submit: 'At submit',
};

export const kindWord = ({ kind }: Pick<Note, 'kind'>): string => kinds[kind];

/** Load balancer of Web. Members of the whole stack have no name. */
export const memberWords = ({ member, name }: Pick<CloudRow, 'member' | 'name'>): string => {
  const words = member.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${name === '' ? '' : ` of ${name}`}`;
};

const keyOf = ({ member, name }: CloudRow): string => `${member} ${name}`;

export interface MemberLine {
  key: string;
  words: string;
  /** By vendor. */
  results: Readonly<Record<string, Result>>;
}

/** One line for each member of the template, with what becomes of it on each cloud. The last one is the template as a whole. */
export function memberLines(clouds: readonly Cloud[]): MemberLine[] {
  const members = clouds.find(({ rows }) => rows.length > 0)?.rows ?? [];
  const lines = members.map((row) => {
    const found = clouds.flatMap(({ vendor, rows }) => {
      const same = rows.find((each) => keyOf(each) === keyOf(row));
      return same ? [[vendor, same.result] as const] : [];
    });
    return { key: keyOf(row), words: memberWords(row), results: Object.fromEntries(found) };
  });
  const whole = Object.fromEntries(clouds.map(({ vendor, result }) => [vendor, result]));
  return [...lines, { key: 'all', words: 'The whole template', results: whole }];
}

/** 2 refused, 1 changes, 6 map. */
export function summaryOf({ rows }: Cloud): string {
  const count = (result: Result): number => rows.filter((row) => row.result === result).length;
  const [refused, changes, maps, unknown] = (['refused', 'changes', 'maps', 'unknown'] as const).map(count);
  return [
    refused && `${refused} refused`,
    changes && `${changes} ${changes === 1 ? 'changes' : 'change'}`,
    maps && `${maps} ${maps === 1 ? 'maps' : 'map'}`,
    unknown && `${unknown} unknown`,
  ]
    .filter(Boolean)
    .join(', ');
}

export const becomesWords = ({ becomes }: CloudRow): string =>
  becomes.map(({ resource_type: type, count }) => (count === 1 ? type : `${count} × ${type}`)).join(', ');

/** The line of the text where each path is, beginning with 1. */
export const lineAt = (text: string, from: number): number => text.slice(0, from).split('\n').length;
