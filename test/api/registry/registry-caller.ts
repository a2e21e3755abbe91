import type { RegistryAccess } from '../../../src/operations/registry/sign-token.ts';
import type { Answer, Json, Request, ServedAlmanac } from '../served-almanac.ts';

export interface Login {
  username: string;
  password: string;
}

export const basic = ({ username, password }: Login): Request => ({
  headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
});

interface Claims {
  sub: string;
  aud: string;
  access: RegistryAccess[];
}

export const claimsOf = (answer: Answer<Json>): Claims => {
  if (answer.status !== 200) throw new Error(`No registry token was issued: ${answer.text}`);
  const [, claims = ''] = String(answer.body.token).split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Claims;
};

/** Asks for registry tokens. */
export class RegistryCaller {
  private readonly almanac: ServedAlmanac;

  constructor(almanac: ServedAlmanac) {
    this.almanac = almanac;
  }

  get = (request: Request, scopes: readonly string[] = [], more: Record<string, string> = {}) => {
    const query = new URLSearchParams(more);
    for (const scope of scopes) query.append('scope', scope);
    return this.almanac.call('GET', `/v3/docker/token?${query.toString()}`, request);
  };

  post = (form: Record<string, string>) => this.almanac.call('POST', '/v3/docker/token', { form });

  /** What the token allows, such as `ann/shop:pull,push`. */
  async access(request: Request, ...scopes: string[]): Promise<string[]> {
    const { access } = claimsOf(await this.get(request, scopes));
    return access.map(({ name, actions }) => `${name}:${actions.join(',')}`);
  }

  /** What the caller may do with the repositories. */
  may = (request: Request, ...repositories: string[]): Promise<string[]> =>
    this.access(request, ...repositories.map((name) => `repository:${name}:*`));

  async setVisibility(name: string, accountId: string, visibility: 'public' | 'private'): Promise<void> {
    await this.almanac.service.database.query
      .insertInto('registry_repositories')
      .values({ name, account_id: accountId, description: '', visibility, created_at: 1, updated_at: 1 })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ visibility }))
      .execute();
  }
}
