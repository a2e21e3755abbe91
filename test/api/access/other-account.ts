import { Secret } from '../../../src/basics/secret.ts';
import { newAccountId, newClientId, newClientSecret } from '../../../src/model/names.ts';
import { hashGenerated } from '../../../src/operations/access/secret-hash.ts';
import { type Service, sealedFor } from '../../../src/operations/service.ts';
import { insertAccount, insertApiClient, insertUser } from '../../../src/store/access/accounts.ts';
import { saveCredential } from '../../../src/store/access/credentials.ts';

/** Creates another account like the first start does: master user, API client, sandbox credential. */
export async function makeOtherAccount(service: Service) {
  const accountId = newAccountId();
  const login = {
    client_id: newClientId(accountId),
    client_secret: newClientSecret(),
    username: 'other-root',
    password: newClientSecret(),
  };
  const created_at = service.clock.now();
  await service.database.transaction(async (query) => {
    await insertAccount(query, { id: accountId, name: '', created_at });
    await insertUser(query, {
      id: accountId,
      account_id: accountId,
      username: login.username,
      email: 'other-root@localhost',
      password_hash: hashGenerated(login.password),
      master: 1,
      created_at,
    });
    await insertApiClient(query, {
      id: login.client_id,
      account_id: accountId,
      secret_hash: hashGenerated(login.client_secret),
      created_at,
      label: 'other',
      kind: 'owner',
    });
    const sealed_secret = service.sealer.seal(
      new Secret('sandbox'),
      sealedFor.credential(accountId, 'aws', 'SANDBOX'),
    );
    await saveCredential(query, {
      account_id: accountId,
      vendor: 'aws',
      id: 'SANDBOX',
      driver: 'sandbox',
      label: 'sandbox',
      sealed_secret,
      updated_at: created_at,
    });
  });
  return login;
}
