import { isObject } from '../../../basics/is-object.ts';
import { type Json, resource } from '../document.ts';

const expression = 'coalesce($.data.own, $.data.other)';

/** Heat looks for a network while it validates, before it exists. It cannot look into an expression. */
export const ownOrOther = (name: string, other: string): Json => ({
  yaql: { expression, data: { own: resource(name), other } },
});

/** What the expressions in a value mean once the resource exists, whatever the other one is by then. */
export function withOwn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOwn);
  if (!isObject(value)) return value;
  const { yaql } = value;
  if (isObject(yaql) && yaql['expression'] === expression && isObject(yaql['data']))
    return yaql['data']['own'];
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withOwn(member)]));
}
