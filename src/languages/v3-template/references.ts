import type { Report } from '../report.ts';

/** `#ref(…)` and `#share(…)` point at a part of another layer; unlike functions they copy nothing. */

const places = [
  /^configurations\/\d+\/provision\/auto_scaling$/,
  /^configurations\/\d+\/provision\/(?:auto_scaling|load_balancer)\/(?:subnets|security_groups)$/,
];

const written = /^#(ref|share)\(([^()]*)\)$/;

export const isReference = (text: string): boolean => /^\s*#(?:ref|share)\(/.test(text);

/** Whether a reference may stand at this path (in present spelling). */
export const isReferencePlace = (path: string): boolean => places.some((place) => place.test(path));

/** Which kind of reference leads to which member of a layer. */
const wordFor = { subnet: 'share', auto_scaling: 'share', security_group: 'ref' } as const;

export type Referable = keyof typeof wordFor;

/** `#ref(A.x),#ref(B.x)` in its parts; commas inside brackets do not part. */
const partsOf = (text: string): readonly string[] => text.split(/,(?![^(]*\))/).map((part) => part.trim());

const flagsIn = (part: string, member: Referable): readonly string[] | null => {
  const [, word, list] = written.exec(part) ?? [];
  if (word !== wordFor[member] || list === undefined) return null;
  const ending = `.provision.${member}`;
  const targets = list.split(',').map((target) => target.trim());
  if (!targets.every((target) => target.endsWith(ending) && target.length > ending.length)) return null;
  return targets.map((target) => target.slice(0, -ending.length));
};

/** A few names are help, thousands are not. */
const listed = (flags: readonly string[]): string =>
  flags.length > 20 ? `${flags.slice(0, 20).join(', ')} and others` : flags.join(', ');

export const noSuchLayer = (unknown: readonly string[], known: readonly string[]): string =>
  `refers to "${unknown.slice(0, 20).join('", "')}", which is no layer; the layers are ${listed(known)}.`;

export interface Referring {
  path: string;
  knownFlags: readonly string[];
  report: Report;
}

/** The flags of the layers a text refers to, each once. */
export const readReferences = (text: string, member: Referable, place: Referring): readonly string[] => {
  const { path, knownFlags, report } = place;
  const flags = partsOf(text).map((part) => flagsIn(part, member));
  if (flags.includes(null)) {
    report(path, `must refer to layers as in "#${wordFor[member]}(Flag.provision.${member})".`);
    return [];
  }
  const named = [...new Set(flags.flatMap((list) => list ?? []))];
  const unknown = named.filter((flag) => !knownFlags.includes(flag));
  if (unknown.length > 0) report(path, noSuchLayer(unknown, knownFlags));
  return named.filter((flag) => !unknown.includes(flag));
};
