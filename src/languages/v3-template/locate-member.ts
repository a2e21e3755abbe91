import { isObject } from '../../basics/is-object.ts';
import { at } from '../../basics/problem.ts';
import { plainText } from '../plain-values.ts';
import { currentName } from './aliases.ts';
import { unknownLayers } from './references.ts';

interface Found {
  path: string;
  value: unknown;
}

/** Finds `Flag.member.member`; returns a string with the problem when there is none. */
export type Locate = (reference: string) => Found | string;

export const loneCopy = /^\$\{copy\(([^()]*)\)\}$/;

/** Maximum length of a chain of copies. */
export const maxHops = 20;

const indexByFlag = (layers: readonly unknown[]): Map<string, number> => {
  const flags = new Map<string, number>();
  for (const [index, layer] of layers.entries()) {
    const flag = isObject(layer) ? plainText(layer['flag']) : '';
    if (flag !== '' && !flags.has(flag)) flags.set(flag, index);
  }
  return flags;
};

const memberOf = (
  owner: unknown,
  member: string,
  position: string,
): { name: string; value: unknown } | null => {
  if (Array.isArray(owner))
    return /^\d{1,6}$/.test(member) ? { name: member, value: owner[Number(member)] } : null;
  if (!isObject(owner)) return null;
  const name = Object.hasOwn(owner, member) ? member : currentName(position, member);
  return Object.hasOwn(owner, name) ? { name, value: owner[name] } : null;
};

export const locateIn = (layers: readonly unknown[]): Locate => {
  const flags = indexByFlag(layers);
  const known = [...flags.keys()];
  let followed = 0;

  /** The value of a member that is itself a copy. */
  const follow = (value: unknown): unknown => {
    const inner = typeof value === 'string' ? loneCopy.exec(value)?.[1] : undefined;
    if (inner === undefined || followed >= maxHops) return value;
    followed += 1;
    const found = locate(inner);
    return typeof found === 'string' ? undefined : follow(found.value);
  };

  const locate = (reference: string): Found | string => {
    const [flag = '', ...members] = reference.trim().split('.');
    if (members.length === 0 || members.includes(''))
      return 'must name a layer and one of its members, such as Web.provision.instance_type.';
    const index = flags.get(flag);
    if (index === undefined) return unknownLayers([flag], known);
    let found: Found = { path: at('configurations', index), value: layers[index] };
    let position = 'configurations/*';
    for (const member of members) {
      const owner = follow(found.value);
      const next = memberOf(owner, member, position);
      if (next?.value === undefined || next.value === null)
        return `refers to ${members.join('.')} of layer "${flag}", which does not exist.`;
      found = { path: at(found.path, next.name), value: next.value };
      position = at(position, Array.isArray(owner) ? '*' : next.name);
    }
    return found;
  };
  return (reference) => {
    followed = 0;
    return locate(reference);
  };
};
