import { isObject } from '../../basics/is-object.ts';
import { at } from '../../basics/problem.ts';
import { plainText } from '../plain-values.ts';
import { presentSpelling } from './aliases.ts';
import { noSuchLayer } from './references.ts';

export interface Found {
  path: string;
  value: unknown;
}

/** Finds `Flag.member.member`; a text instead of a value says why there is none. */
export type Locate = (reference: string) => Found | string;

export const loneCopy = /^\$\{copy\(([^()]*)\)\}$/;

/** Copies that lead to copies are followed this far. */
export const maxHops = 20;

const indexByFlag = (layers: readonly unknown[]): Map<string, number> => {
  const flags = new Map<string, number>();
  for (const [index, layer] of layers.entries()) {
    const flag = isObject(layer) ? plainText(layer['flag']) : '';
    if (flag !== '' && !flags.has(flag)) flags.set(flag, index);
  }
  return flags;
};

const memberOf = (owner: unknown, member: string, place: string): { name: string; value: unknown } | null => {
  if (Array.isArray(owner))
    return /^\d{1,6}$/.test(member) ? { name: member, value: owner[Number(member)] } : null;
  if (!isObject(owner)) return null;
  const name = Object.hasOwn(owner, member) ? member : presentSpelling(place, member);
  return Object.hasOwn(owner, name) ? { name, value: owner[name] } : null;
};

export const locateIn = (layers: readonly unknown[]): Locate => {
  const flags = indexByFlag(layers);
  const known = [...flags.keys()];
  let followed = 0;

  /** What a member really is when it is itself a copy of something. */
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
      return 'must name a layer and a member of it, as in Web.provision.instance_type.';
    const index = flags.get(flag);
    if (index === undefined) return noSuchLayer([flag], known);
    let found: Found = { path: at('configurations', index), value: layers[index] };
    let place = 'configurations/*';
    for (const member of members) {
      const owner = follow(found.value);
      const next = memberOf(owner, member, place);
      if (next?.value === undefined || next.value === null)
        return `refers to ${members.join('.')} of the layer "${flag}", which that layer does not have.`;
      found = { path: at(found.path, next.name), value: next.value };
      place = at(place, Array.isArray(owner) ? '*' : next.name);
    }
    return found;
  };
  return (reference) => {
    followed = 0;
    return locate(reference);
  };
};
