import { sealedFor } from '../../../src/operations/service.ts';
import { findCredential } from '../../../src/store/access/credentials.ts';
import type { Answer, Json, Request, ServedAlmanac } from '../served-almanac.ts';

export interface Entry {
  id: string;
  account: string;
  lastModified: string;
  authUrl?: string;
}

export const keyOf = (id: string, secret = `secret-of-${id}`) => ({
  AWSAccessKeyId: id,
  AWSSecretKey: secret,
  AWSAccountName: `account of ${id}`,
});

/** Calls v2 as the API client of the account and v3 as its user, unless a token is set. */
export class CredentialCaller {
  private readonly almanac: ServedAlmanac;

  constructor(almanac: ServedAlmanac) {
    this.almanac = almanac;
  }

  async call<Body = Json>(method: string, path: string, request: Request = {}): Promise<Answer<Body>> {
    const { almanac } = this;
    const token = await (path.startsWith('/v2') ? almanac.clientToken() : almanac.userToken());
    return this.almanac.call<Body>(method, path, { token, ...request });
  }

  save = (credentials: unknown, vendor = 'aws'): Promise<Answer<Json>> =>
    this.call('POST', '/v2/credentials', { json: { vendor, credentials } });

  listed = async (vendor: string): Promise<Entry[]> =>
    (await this.call<Entry[]>('GET', `/v2/credentials/${vendor}`)).body;

  find = async (vendor: string, id: string): Promise<Entry | undefined> =>
    (await this.listed(vendor)).find((entry) => entry.id === id);

  /** The stored secret of the first account, unsealed. */
  async secretOf(vendor: string, id: string): Promise<string | undefined> {
    const { database, sealer } = this.almanac.service;
    const root = database.query.selectFrom('users').select('account_id').where('username', '=', 'root');
    const { account_id } = await root.executeTakeFirstOrThrow();
    const row = await findCredential(database.query, { accountId: account_id, vendor, id });
    return row && sealer.unseal(row.sealed_secret, sealedFor.credential(account_id, vendor, id)).reveal();
  }
}
