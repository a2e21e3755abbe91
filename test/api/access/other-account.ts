import { createAccount } from '../../../src/operations/accounts/create-account.ts';
import type { Service } from '../../../src/operations/service.ts';

let accounts = 0;

/** Creates another account like the operator does: master user, API client, sandbox credential. */
export async function makeOtherAccount(service: Service, username = 'other-root') {
  accounts += 1;
  const { credentials } = await createAccount(service, {
    name: `Other ${accounts}`,
    username,
    password: null,
  });
  return {
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret.reveal(),
    username,
    password: credentials.password.reveal(),
  };
}
