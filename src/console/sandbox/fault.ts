import type { BodyOf, SuccessOf } from '../../contract/route.ts';
import type { injectFault, listFaults } from '../../contract/v3/sandbox.ts';
import { word } from '../parts/acts/command.ts';

type Fault = BodyOf<typeof injectFault>;
export type FaultInForce = SuccessOf<typeof listFaults>[number];
export type Kind = Fault['kind'];

interface Kinds {
  label: string;
  hint: string;
  /** The fields of the form that it needs. */
  fields: readonly FieldName[];
  needsStack: boolean;
}

export type FieldName =
  | 'position'
  | 'reason'
  | 'seconds'
  | 'instance_id'
  | 'resource'
  | 'with_stack'
  | 'mode'
  | 'image';

export const kinds: Readonly<Record<Kind, Kinds>> = {
  fail_resource: {
    label: 'A resource cannot be created',
    hint: 'The next apply fails at this creation; what was made before is undone.',
    fields: ['position', 'reason'],
    needsStack: false,
  },
  unreachable: {
    label: 'The cloud does not answer',
    hint: 'Operations wait until it answers again.',
    fields: ['seconds'],
    needsStack: false,
  },
  spot_notice: {
    label: 'A spot instance is reclaimed',
    hint: 'The instance gets a notice, and a replacement is started.',
    fields: ['instance_id'],
    needsStack: true,
  },
  share_resource: {
    label: 'A resource is used by another stack',
    hint: 'Deleting the stack fails at this resource.',
    fields: ['resource', 'with_stack'],
    needsStack: true,
  },
  fail_app: {
    label: 'A container fails',
    hint: 'Mode: crash, missing_image, refused_pull, unhealthy, dies or silent.',
    fields: ['mode', 'image', 'reason'],
    needsStack: false,
  },
  clear: {
    label: 'Clear all faults',
    hint: 'Of the chosen stack, or of all.',
    fields: [],
    needsStack: false,
  },
};

export type Values = Readonly<Record<FieldName, string>>;

const numbers: ReadonlySet<string> = new Set(['position', 'seconds']);

/** The body of the request: only the fields of the kind, and only those with a value. */
export function bodyOf(kind: Kind, stackId: string, values: Values): Fault {
  const fields = kinds[kind].fields.flatMap((name): [string, string | number][] =>
    values[name] === '' ? [] : [[name, numbers.has(name) ? Number(values[name]) : values[name]]],
  );
  return { kind, ...(stackId ? { stack_id: stackId } : {}), ...Object.fromEntries(fields) };
}

/** The same as a command. */
export function commandOf({ kind, stack_id, ...details }: Fault): string {
  const flags = Object.entries({ id: stack_id, ...details }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name.replaceAll('_', '-')} ${word(String(value), name)}`],
  );
  const act = kind === 'clear' ? 'clear' : `inject ${kind}`;
  return [`alm sandbox ${act}`, ...flags].join(' ');
}

/** What the fault does, in one sentence. */
export function inWords({ kind, position, reason, resource, with_stack, mode, image }: FaultInForce): string {
  if (kind === 'fail_resource') return `Creation ${position} of the next apply fails: ${reason ?? ''}`;
  if (kind === 'fail_app') return `Containers ${image ? `of images with "${image}" ` : ''}fail: ${mode}`;
  if (kind === 'unreachable') return 'The cloud does not answer';
  return `${resource} is used by ${with_stack} too, so that the deletion fails`;
}
