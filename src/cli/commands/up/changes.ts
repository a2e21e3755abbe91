import type { SuccessOf } from '../../../contract/route.ts';
import type { previewTemplate } from '../../../contract/v3/templates.ts';
import { oneLine } from '../../view/colour.ts';

export type Preview = SuccessOf<typeof previewTemplate>;
type Diff = NonNullable<Preview['diff']>;

const maxValue = 60;

const valueText = (value: unknown): string => {
  const text = oneLine(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
  return text.length > maxValue ? `${text.slice(0, maxValue - 1)}…` : text;
};

/** `provision/instance_count: 1 → 2`, in the order of the members. */
function valueLines(diff: Diff | undefined): string[] {
  if (!diff) return [];
  const added = diff.new.flatMap((each) => Object.entries(each));
  const removed = Array.isArray(diff.removed) ? [] : Object.entries(diff.removed);
  return [
    ...Object.entries(diff.edited).map(
      ([path, { oldvalue: before, newvalue: after }]) =>
        `${path}: ${valueText(before)} → ${valueText(after)}`,
    ),
    ...added.map(([path, value]) => `${path}: new: ${valueText(value)}`),
    ...removed.map(([path, value]) => `${path}: removed: ${valueText(value)}`),
  ];
}

const verbs = { add: 'to add', change: 'to change', replace: 'to replace', remove: 'to remove' } as const;

/** `1 resource to add, 2 to change` */
function countText(changes: Preview['changes']): string {
  const counts = Object.entries(verbs).flatMap(([action, verb]) => {
    const count = changes.filter((change) => change.action === action).length;
    return count > 0 ? [{ count, verb }] : [];
  });
  const texts = counts.map(({ count, verb }, index) =>
    index === 0 ? `${count} resource${count === 1 ? '' : 's'} ${verb}` : `${count} ${verb}`,
  );
  return texts.join(', ') || 'no resource changes';
}

/** Resources that do not stay as they are: people look for them. */
const goneLines = (changes: Preview['changes']): string[] =>
  changes
    .filter(({ action }) => action === 'replace' || action === 'remove')
    .map(({ action, resource, resource_type: type }) => `${action} ${resource} (${type})`);

/** What would become of a stack: counts, old and new values, and what is removed or replaced. */
export const changeLines = (name: string, isNew: boolean, preview: Preview): string[] => [
  `${isNew ? 'Create' : 'Update'} ${name}: ${countText(preview.changes)}.`,
  ...[...valueLines(preview.diff), ...goneLines(preview.changes)].map((line) => `  ${line}`),
];

/** Whether the template differs from the one that the stack has, as far as the service can say. */
export const isSame = ({ changes, diff }: Preview): boolean =>
  changes.length === 0 && valueLines(diff).length === 0;
