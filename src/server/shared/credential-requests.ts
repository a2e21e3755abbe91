import { utcTime } from '../../basics/clock.ts';
import { Failure } from '../../basics/failure.ts';
import type { Actor } from '../../operations/access/access.ts';
import { vendorNamed } from '../../operations/credentials/credential-row.ts';
import {
  describeCredentials,
  keepCredential,
  type ListedCredential,
  removeCredential,
} from '../../operations/credentials/credentials.ts';
import type { Service } from '../../operations/service.ts';
import { readCredentialFields } from './credential-fields.ts';

/** What may be asked about credentials at the addresses of either version. */

const present = ({ id, account, lastModified }: ListedCredential) => ({
  id,
  account,
  lastModified: utcTime(lastModified),
});

type Entry = ReturnType<typeof present>;

export async function answerAllCredentials(service: Service, actor: Actor) {
  const byVendor: Record<string, Entry[]> = {};
  for (const credential of await describeCredentials(service, actor))
    (byVendor[credential.vendor] ??= []).push(present(credential));
  return byVendor;
}

export async function answerCredentialsOf(service: Service, actor: Actor, vendor: string) {
  return (await describeCredentials(service, actor, vendorNamed(vendor))).map(present);
}

export async function takeCredential(service: Service, actor: Actor, written: string, sent: unknown) {
  const vendor = vendorNamed(written);
  const verified = await keepCredential(service, actor, { vendor, ...readCredentialFields(vendor, sent) });
  return { status: 'success', ...(verified === null ? {} : { verified }) };
}

interface Named {
  vendor?: string | undefined;
  credential_id?: string | undefined;
}

/** Each part from the first place that has it: many clients cannot send a body with DELETE. */
export async function dropCredential(service: Service, actor: Actor, places: readonly Named[]) {
  const part = (name: keyof Named): string => {
    const value = places.map((place) => place[name]).find(Boolean);
    if (value) return value;
    throw new Failure('invalid_request', `${name} not specified`, {
      description: 'Send it in the body or in the query.',
    });
  };
  await removeCredential(service, actor, { vendor: vendorNamed(part('vendor')), id: part('credential_id') });
  return { status: 'success' };
}
