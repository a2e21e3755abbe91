import type { Location } from '../report.ts';

/** `#ref(…)` and `#share(…)` refer to a part of another layer; unlike functions they copy nothing. */

const referencePaths = [
  /^configurations\/\d+\/provision\/auto_scaling$/,
  /^configurations\/\d+\/provision\/(?:auto_scaling|load_balancer)\/(?:subnets|security_groups)$/,
];

const reference = /^#(ref|share)\(([^()]*)\)$/;

export const isReference = (text: string): boolean => /^\s*#(?:ref|share)\(/.test(text);

/** Whether this path (with current names) supports references. */
export const supportsReferences = (path: string): boolean =>
  referencePaths.some((pattern) => pattern.test(path));

/** The kind of reference for each member of a layer. */
const keywords = { subnet: 'share', auto_scaling: 'share', security_group: 'ref' } as const;

type Referable = keyof typeof keywords;

/** Splits `#ref(A.x),#ref(B.x)`, but not at commas inside brackets. */
const partsOf = (text: string): readonly string[] => text.split(/,(?![^(]*\))/).map((part) => part.trim());

const flagsIn = (part: string, member: Referable): readonly string[] | null => {
  const [, keyword, list] = reference.exec(part) ?? [];
  if (keyword !== keywords[member] || list === undefined) return null;
  const ending = `.provision.${member}`;
  const targets = list.split(',').map((target) => target.trim());
  if (!targets.every((target) => target.endsWith(ending) && target.length > ending.length)) return null;
  return targets.map((target) => target.slice(0, -ending.length));
};

/** A few names help, thousands do not. */
const listed = (flags: readonly string[]): string =>
  flags.length > 20 ? `${flags.slice(0, 20).join(', ')} and others` : flags.join(', ');

export const unknownLayers = (unknown: readonly string[], known: readonly string[]): string =>
  `refers to unknown layer "${unknown.slice(0, 20).join('", "')}"; known layers: ${listed(known)}.`;

interface ReferringMember extends Location {
  knownFlags: readonly string[];
}

/** The flags of the layers that a text refers to, without duplicates. */
export const readReferences = (
  text: string,
  member: Referable,
  { path, knownFlags, report }: ReferringMember,
): readonly string[] => {
  const flags = partsOf(text).map((part) => flagsIn(part, member));
  if (flags.includes(null)) {
    report(path, `must have the form "#${keywords[member]}(Flag.provision.${member})".`);
    return [];
  }
  const flagList = [...new Set(flags.flatMap((list) => list ?? []))];
  const unknown = flagList.filter((flag) => !knownFlags.includes(flag));
  if (unknown.length > 0) report(path, unknownLayers(unknown, knownFlags));
  return flagList.filter((flag) => !unknown.includes(flag));
};
