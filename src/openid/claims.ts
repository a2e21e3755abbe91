import { isObject } from '../basics/is-object.ts';

/** Settings and providers write the same issuer with or without a slash at the end. */
export const sameIssuer = (issuer: string): string => issuer.replace(/\/+$/, '');

/** Reads a claim by its name, or by a path with dots if there is none of that name: `realm_access.roles`. */
export function readClaim(claims: unknown, name: string): unknown {
  if (isObject(claims) && Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>(
      (value, part) => (isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined),
      claims,
    );
}
