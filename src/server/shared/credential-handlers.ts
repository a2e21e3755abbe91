import { utcTime } from '../../basics/clock.ts';
import { Failure } from '../../basics/failure.ts';
import type { credentialRoutes } from '../../contract/v3/credentials.ts';
import type { Actor } from '../../operations/access/access.ts';
import { vendorNamed } from '../../operations/credentials/credential-row.ts';
import {
  describeCredentials,
  keepCredential,
  type ListedCredential,
  removeCredential,
} from '../../operations/credentials/credentials.ts';
import type { Service } from '../../operations/service.ts';
import type { Handlers } from '../http/binding.ts';
import { readCredentialFields } from './credential-fields.ts';

const present = ({ id, account, lastModified, authUrl }: ListedCredential) => ({
  id,
  account,
  lastModified: utcTime(lastModified),
  ...(authUrl === null ? {} : { authUrl }),
});

type Entry = ReturnType<typeof present>;

async function listByVendor(service: Service, actor: Actor) {
  const byVendor: Record<string, Entry[]> = {};
  for (const credential of await describeCredentials(service, actor))
    (byVendor[credential.vendor] ??= []).push(present(credential));
  return byVendor;
}

interface SaveRequest {
  vendor: string;
  credentials: unknown;
}

async function save(service: Service, actor: Actor, { vendor: name, credentials }: SaveRequest) {
  const vendor = vendorNamed(name);
  const fields = readCredentialFields(vendor, credentials);
  const verified = await keepCredential(service, actor, { vendor, ...fields });
  return { status: 'success', ...(verified === null ? {} : { verified }) };
}

interface CredentialName {
  vendor?: string | undefined;
  credential_id?: string | undefined;
}

/** Takes each member from the first source that has it: many clients cannot send a body with DELETE. */
async function remove(service: Service, actor: Actor, sources: readonly CredentialName[]) {
  const required = (name: keyof CredentialName): string => {
    const value = sources.map((source) => source[name]).find(Boolean);
    if (value) return value;
    throw new Failure('invalid_request', `${name} not specified`, {
      description: `Set ${name} in the body or query.`,
    });
  };
  await removeCredential(service, actor, {
    vendor: vendorNamed(required('vendor')),
    id: required('credential_id'),
  });
  return { status: 'success' };
}

/** Credentials in both API versions. */
export const credentialHandlers = (service: Service): Handlers<typeof credentialRoutes, Actor> => ({
  listCredentials: ({ actor }) => listByVendor(service, actor),
  saveCredential: ({ actor, body }) => save(service, actor, body),
  deleteCredential: ({ actor, body, query }) => remove(service, actor, [body, query]),
  listVendorCredentials: async ({ actor, params }) =>
    (await describeCredentials(service, actor, vendorNamed(params.vendor))).map(present),
  saveVendorCredential: ({ actor, params, body }) => save(service, actor, { ...body, vendor: params.vendor }),
  deleteVendorCredential: ({ actor, params, body, query }) => remove(service, actor, [params, body, query]),
});
