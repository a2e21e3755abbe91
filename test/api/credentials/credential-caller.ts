import { sealedFor } from '../../../src/operations/service.ts';
import { findCredential } from '../../../src/store/access/credentials.ts';
import type { Answer, Json, Request, ServedAlmanac } from '../served-almanac.ts';

export interface Entry {
  id: string;
  account: string;
  lastModified: string;
}

export const keyOf = (id: string, secret = `secret-of-${id}`) => ({
  AWSAccessKeyId: id,
  AWSSecretKey: secret,
  AWSAccountName: `account of ${id}`,
});

/** Speaks v2 as the account's API client and v3 as its user, unless a token is given. */
export class CredentialCaller {
  private readonly almanac: ServedAlmanac;
  readonly clientToken: string;
  private readonly userToken: string;

  private constructor(almanac: ServedAlmanac, clientToken: string, userToken: string) {
    this.almanac = almanac;
    this.clientToken = clientToken;
    this.userToken = userToken;
  }

  static async of(almanac: ServedAlmanac): Promise<CredentialCaller> {
    return new CredentialCaller(almanac, await almanac.clientToken(), await almanac.userToken());
  }

  call<Body = Json>(method: string, path: string, request: Request = {}): Promise<Answer<Body>> {
    const token = path.startsWith('/v2') ? this.clientToken : this.userToken;
    return this.almanac.call<Body>(method, path, { token, ...request });
  }

  save = (credentials: unknown, vendor = 'aws'): Promise<Answer<Json>> =>
    this.call('POST', '/v2/credentials', { json: { vendor, credentials } });

  listed = async (vendor: string): Promise<Entry[]> =>
    (await this.call<Entry[]>('GET', `/v2/credentials/${vendor}`)).body;

  find = async (vendor: string, id: string): Promise<Entry | undefined> =>
    (await this.listed(vendor)).find((entry) => entry.id === id);

  /** What is really kept for the first account, opened. */
  async secretOf(vendor: string, id: string): Promise<string | undefined> {
    const { database, sealer } = this.almanac.service;
    const root = database.query.selectFrom('users').select('account_id').where('username', '=', 'root');
    const { account_id } = await root.executeTakeFirstOrThrow();
    const row = await findCredential(database.query, { accountId: account_id, vendor, id });
    return row && sealer.unseal(row.sealed_secret, sealedFor.credential(account_id, vendor, id)).reveal();
  }
}
