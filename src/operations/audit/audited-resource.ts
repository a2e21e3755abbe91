import { credentialResource, repositoryResource, vendorResource } from '../../model/actions.ts';
import { looksLikeToken } from '../../model/names.ts';
import { parseImage } from '../../model/registry/image-id.ts';
import { findVendorName } from '../credentials/credential-row.ts';

/** Values a call names, by the parameter names of its route. */
export type NamedParts = ReadonlyMap<string, string>;

type Namer = (named: NamedParts) => string | undefined;

const resourceNamed =
  (kind: string, member: string): Namer =>
  (named) => {
    const id = named.get(member);
    // A caller may send the token itself instead of its id; it must not be stored.
    return id === undefined || looksLikeToken(id) ? undefined : `mrn:alm:${kind}:${id}`;
  };

const user = resourceNamed('user', 'username');
const role = resourceNamed('role', 'role_id');
const client = resourceNamed('client', 'client_id');

const credential: Namer = (named) => {
  const [vendorText, id] = [named.get('vendor'), named.get('credential_id')];
  if (vendorText === undefined) return undefined;
  const vendor = findVendorName(vendorText) ?? vendorText;
  return id === undefined || looksLikeToken(id) ? vendorResource(vendor) : credentialResource(vendor, id);
};

const image: Namer = (named) => {
  const id = named.get('image_id');
  return id !== undefined && !looksLikeToken(id) && parseImage(id) ? repositoryResource(id) : undefined;
};

/** By the path after the version; the first match counts. */
const namers: readonly (readonly [path: RegExp, ...Namer[]])[] = [
  [/^credentials\b/, credential],
  [/^user\/role\b/, user, role],
  [/^user\b/, user],
  [/^role\b/, role],
  [/^client\/\{client_id\}\/role\b/, client, role],
  [/^client\b/, client],
  [/^personal_token\b/, user, resourceNamed('token', 'token_id')],
  [/^passkey\b/, resourceNamed('passkey', 'passkey_id')],
  [/^token\b/, resourceNamed('token', 'token_id')],
  [/^alm\/registry\b/, image],
  [/^alm\/container\b/, resourceNamed('container', 'container_id')],
  [/^alm\/secret\b/, resourceNamed('secret', 'secret_name')],
  [/^alm\/data\b/, resourceNamed('data', 'data_id')],
];

/** Resource of a call: a stack, or other resources the call names, or else the path of its route. */
export function auditedResource(path: string, stackId: string | null, named: NamedParts): string {
  if (stackId !== null) return `mrn:alm:stack:${stackId}`;
  const rest = path.replace(/^\/v\d+\//, '');
  const [, ...found] = namers.find(([start]) => start.test(rest)) ?? [];
  const resources = found.flatMap((namer) => namer(named) ?? []);
  return resources.length > 0 ? resources.join(' ') : path;
}
