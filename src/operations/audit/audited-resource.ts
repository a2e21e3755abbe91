import { credentialResource, vendorResource } from '../../model/actions.ts';
import { looksLikeToken } from '../../model/names.ts';
import { findVendorName } from '../credentials/credential-row.ts';

/** What a call names, by the names its route gives to it. */
export type NamedParts = ReadonlyMap<string, string>;

type Namer = (named: NamedParts) => string | undefined;

const called =
  (kind: string, member: string): Namer =>
  (named) => {
    const id = named.get(member);
    // Somebody may send the token itself where its id is asked for; that must not be kept.
    return id === undefined || looksLikeToken(id) ? undefined : `mrn:alm:${kind}:${id}`;
  };

const user = called('user', 'username');
const role = called('role', 'role_id');

const credential: Namer = (named) => {
  const [written, id] = [named.get('vendor'), named.get('credential_id')];
  if (written === undefined) return undefined;
  const vendor = findVendorName(written) ?? written;
  return id === undefined || looksLikeToken(id) ? vendorResource(vendor) : credentialResource(vendor, id);
};

/** By how the path goes on after its version; the first that fits counts. */
const namers: readonly (readonly [path: RegExp, ...Namer[]])[] = [
  [/^credentials\b/, credential],
  [/^user\/role\b/, user, role],
  [/^user\b/, user],
  [/^role\b/, role],
  [/^client\b/, called('client', 'client_id')],
  [/^token\b/, called('token', 'token_id')],
  [/^alm\/container\b/, called('container', 'container_id')],
];

/** What was acted on: a stack, or what else the call names; else the path of its route. */
export function auditedResource(path: string, stackId: string | null, named: NamedParts): string {
  if (stackId !== null) return `mrn:alm:stack:${stackId}`;
  const rest = path.replace(/^\/v\d+\//, '');
  const [, ...found] = namers.find(([start]) => start.test(rest)) ?? [];
  const resources = found.flatMap((namer) => namer(named) ?? []);
  return resources.length > 0 ? resources.join(' ') : path;
}
