import { type Answer, first, type Json, type Request, type ServedAlmanac } from '../served-almanac.ts';

export interface MadeUser {
  userId: string;
  username: string;
  password: string;
  token: string;
}

/** Calls as the first account's master user, unless another token is given. */
export class AccessCaller {
  private readonly almanac: ServedAlmanac;
  private readonly masterToken: string;

  private constructor(almanac: ServedAlmanac, masterToken: string) {
    this.almanac = almanac;
    this.masterToken = masterToken;
  }

  static async of(almanac: ServedAlmanac): Promise<AccessCaller> {
    return new AccessCaller(almanac, await almanac.userToken());
  }

  call<Body = Json>(method: string, path: string, request: Request = {}): Promise<Answer<Body>> {
    return this.almanac.call<Body>(method, path, { token: this.masterToken, ...request });
  }

  /** The answer of the token endpoint. */
  signIn = (username: string, password: string, client: object = {}): Promise<Answer<Json>> =>
    this.almanac.call('POST', '/v3/access_token', {
      json: { ...first, username, password, ...client, grant_type: 'password' },
    });

  /** A user of the first account, signed in. */
  async makeUser(username: string): Promise<MadeUser> {
    const password = `password of ${username}`;
    const made = await this.call('POST', '/v3/user', { json: { username, password } });
    if (made.status !== 200) throw new Error(`No user was made: ${made.text}`);
    const signedIn = await this.signIn(username, password);
    return {
      userId: String(made.body.user_id),
      username,
      password,
      token: String(signedIn.body.access_token),
    };
  }

  /** Whether anybody is behind the token. */
  works = async (token: unknown): Promise<boolean> =>
    (await this.call('GET', '/v3/alm/stack', { token: String(token) })).status !== 401;

  async makeRole(name = 'a role', scope = scopeAllowing('stack:describeStacks')): Promise<string> {
    const made = await this.call('POST', '/v3/role', { form: { name, scope } });
    if (made.status !== 200) throw new Error(`No role was made: ${made.text}`);
    return String(made.body.role_id);
  }
}

export const scopeAllowing = (...actions: string[]): string =>
  JSON.stringify({
    Version: '2017-05-05',
    Statement: [{ Effect: 'Allow', Action: actions, Resource: ['*'] }],
  });

/** RFC 3339 with a numeric offset. */
export const aTime = /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;

export const refused = { code: '4000', error: 'forbidden', RBAC: 'Action not allowed' };
