import { isObject } from '../../basics/is-object.ts';
import type { Members } from '../../languages/plain-values.ts';
import { resolveAliases } from '../../languages/v3-template/aliases.ts';
import { type Difference, difference } from '../../model/difference.ts';

const layersByFlag = new Map([['configurations', 'flag']]);

/** Keeps only the members of a vendor section that place the stack; the others have no meaning. */
const placementOf = (members: unknown): Members => {
  if (!isObject(members)) return {};
  return Object.fromEntries(Object.entries(members).filter(([name]) => name === 'cred' || name === 'region'));
};

const placementsOf = (vendors: unknown): Members => {
  if (!isObject(vendors)) return {};
  return Object.fromEntries(
    Object.entries(vendors).map(([vendor, members]) => [vendor.toLowerCase(), placementOf(members)]),
  );
};

/** Uses current spelling throughout, so that an older spelling of the same member is not a difference. */
const comparable = (document: Members): Members => {
  const { value } = resolveAliases(document, () => undefined);
  return Object.hasOwn(value, 'vendor') ? { ...value, vendor: placementsOf(value['vendor']) } : value;
};

/** Compares two templates. Their secrets must be removed first, because the difference contains their values. */
export const templateDifference = (before: Members, after: Members): Difference =>
  difference(comparable(before), comparable(after), layersByFlag);
