import { isObject } from '../../../basics/is-object.ts';
import type { Members } from '../../../languages/plain-values.ts';
import { resolveAliases } from '../../../languages/v3-template/aliases.ts';
import { type Difference, difference } from '../../../model/difference.ts';

const layersByFlag = new Map([['configurations', 'flag']]);

/** Of a vendor section only what says where the stack is; whatever else stands there means nothing. */
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

/** In present spelling throughout, so that an older spelling of the same thing is no difference. */
const comparable = (document: Members): Members => {
  const { value } = resolveAliases(document, () => undefined);
  return Object.hasOwn(value, 'vendor') ? { ...value, vendor: placementsOf(value['vendor']) } : value;
};

/** How two templates differ. Give it documents whose secrets were taken out: it reports what it is given. */
export const templateDifference = (before: Members, after: Members): Difference =>
  difference(comparable(before), comparable(after), layersByFlag);
