/** What a status means for a person. */
export type Tone = 'good' | 'work' | 'bad' | 'warn' | 'none';

export interface Reading {
  tone: Tone;
  word: string;
}

const verbs: Readonly<Record<string, readonly [doing: string, done: string]>> = {
  CREATE: ['Creating', 'create'],
  UPDATE: ['Updating', 'update'],
  DELETE: ['Deleting', 'delete'],
  ROLLBACK: ['Rolling back', 'rollback'],
  UPDATE_ROLLBACK: ['Rolling back', 'rollback'],
};

const firstUpper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `UPDATE_FAILED` → Update failed. Works for stacks, resources and events. */
export function readStatus(status: string): Reading {
  const [, operation = '', phase = ''] = /^(.*?)_?(IN_PROGRESS|COMPLETE|FAILED)$/.exec(status) ?? [];
  const [doing, done] = verbs[operation] ?? [firstUpper(operation.toLowerCase()), operation.toLowerCase()];
  if (phase === 'IN_PROGRESS') return { tone: 'work', word: doing };
  if (phase === 'FAILED') return { tone: 'bad', word: firstUpper(`${done} failed`.trim()) };
  if (phase === 'COMPLETE')
    return {
      tone: operation === 'DELETE' ? 'none' : 'good',
      word: operation === 'DELETE' ? 'Deleted' : 'Complete',
    };
  return { tone: 'none', word: firstUpper(status.toLowerCase().replaceAll('_', ' ')) };
}

/** Why no version can be applied to a stack with this status: it will be gone. */
export const whyNoUpdate = (status: string): string | undefined =>
  status === 'DELETE_IN_PROGRESS' ? 'The stack is being deleted.' : undefined;

/** Of a resource: in its stack, or on its way into it. */
export const exists = ({ status }: { status: string }): boolean =>
  status !== 'deleted' && status !== 'absent' && status !== 'kept';
