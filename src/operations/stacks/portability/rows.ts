import type { StackModel } from '../../../model/stack-model.ts';
import type { Remark } from '../../../vendors/portability.ts';
import { keyOf, keysFor, type MemberKind, membersOf } from './members.ts';
import type { Trial } from './try-cloud.ts';

/** Refused, taken in another way, a default of the cloud, or known only when the template is submitted. */
const noteKinds = ['refused', 'change', 'default', 'at_submit'] as const;
type NoteKind = (typeof noteKinds)[number];

/** From worst to best. */
const results = ['refused', 'unknown', 'changes', 'maps'] as const;
export type Result = (typeof results)[number];

interface Note {
  kind: NoteKind;
  /** In the template. */
  path: string;
  message: string;
}

export interface Row {
  member: MemberKind;
  /** Of the layer, which its database and its cache share; empty: it belongs to the whole stack. */
  name: string;
  /** In the template. */
  path: string;
  result: Result;
  becomes: { resourceType: string; count: number }[];
  notes: Note[];
}

/** What is said about the members of a model, besides what they become. */
type Remarks = Readonly<Record<Exclude<NoteKind, 'refused' | 'change'>, readonly Remark[]>>;

interface RowsInput {
  model: StackModel;
  /** Turns a path of the model into one of the template. */
  locate: (path: string) => string;
  trial: Trial;
  remarks: Remarks;
}

const resultOf = (notes: readonly Note[], { isComplete }: Trial): Result => {
  if (notes.some(({ kind }) => kind === 'refused')) return 'refused';
  if (!isComplete) return 'unknown';
  return notes.some(({ kind }) => kind === 'change') ? 'changes' : 'maps';
};

export function rowsOf({ model, locate, trial, remarks }: RowsInput): Row[] {
  const members = membersOf(model);
  const known = new Set(members.map(({ key }) => key));
  const rowFor = (path: string): string =>
    keysFor(model, path).find((key) => known.has(key)) ?? keyOf('network');
  const said: Record<NoteKind, readonly Remark[]> = {
    refused: trial.problems,
    change: trial.changes,
    ...remarks,
  };
  const notes = new Map<string, Note[]>(members.map(({ key }) => [key, []]));
  for (const kind of noteKinds)
    for (const { path, message } of said[kind])
      notes.get(rowFor(path))?.push({ kind, path: locate(path), message });
  return members.map(({ key, kind, name, path }) => {
    const own = notes.get(key) ?? [];
    const becomes = [...(trial.becomes.get(key) ?? [])].map(([resourceType, count]) => ({
      resourceType,
      count,
    }));
    return { member: kind, name, path: locate(path), result: resultOf(own, trial), becomes, notes: own };
  });
}

export const worstOf = (rows: readonly Row[]): Result =>
  results.find((result) => rows.some((row) => row.result === result)) ?? 'maps';
