import { type Answer, first, type Json, type Request, type ServedAlmanac } from '../served-almanac.ts';

export interface MadeUser {
  userId: string;
  username: string;
  password: string;
  token: string;
}

/** Calls as the master user of the first account, unless another token is set. */
export class AccessCaller {
  private readonly almanac: ServedAlmanac;

  constructor(almanac: ServedAlmanac) {
    this.almanac = almanac;
  }

  async call<Body = Json>(method: string, path: string, request: Request = {}): Promise<Answer<Body>> {
    const token = await this.almanac.userToken();
    return this.almanac.call<Body>(method, path, { token, ...request });
  }

  /** Returns the reply of the token endpoint. */
  signIn = (username: string, password: string, client: object = {}): Promise<Answer<Json>> =>
    this.almanac.call('POST', '/v3/access_token', {
      json: { ...first, username, password, ...client, grant_type: 'password' },
    });

  /** Creates a user of the first account and signs in. */
  async makeUser(username: string): Promise<MadeUser> {
    const password = `password of ${username}`;
    // The proof of an older sign-in may be too old after the clock was moved.
    const { body } = await this.signIn(first.username, first.password);
    const token = String(body.access_token);
    const made = await this.call('POST', '/v3/user', { token, json: { username, password } });
    if (made.status !== 200) throw new Error(`The user was not created: ${made.text}`);
    const signedIn = await this.signIn(username, password);
    return {
      userId: String(made.body.user_id),
      username,
      password,
      token: String(signedIn.body.access_token),
    };
  }

  /** Whether the token is valid. */
  works = async (token: unknown): Promise<boolean> =>
    (await this.call('GET', '/v3/alm/stack', { token: String(token) })).status !== 401;

  async makeRole(name = 'a role', scope = scopeAllowing('stack:describeStacks')): Promise<string> {
    const made = await this.call('POST', '/v3/role', { form: { name, scope } });
    if (made.status !== 200) throw new Error(`The role was not created: ${made.text}`);
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

export const forbidden = { code: '4000', error: 'forbidden', RBAC: 'Action not allowed' };
