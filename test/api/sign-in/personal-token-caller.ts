import type { AccessCaller, MadeUser } from '../access/access-caller.ts';
import type { Answer, Json } from '../served-almanac.ts';

type Owner = Pick<MadeUser, 'token' | 'password'>;

/** Creates and lists personal access tokens. */
export class PersonalTokens {
  private readonly caller: AccessCaller;

  constructor(caller: AccessCaller) {
    this.caller = caller;
  }

  async userWithRole(username: string, scope: string): Promise<MadeUser & { roleId: string }> {
    const user = await this.caller.makeUser(username);
    const roleId = await this.caller.makeRole(`role of ${username}`, scope);
    await this.attach(username, roleId);
    return { ...user, roleId };
  }

  attach = (username: string, role_id: string): Promise<Answer<Json>> =>
    this.caller.call('POST', '/v3/user/role', { json: { username, role_id } });

  create = ({ token, password }: Owner, json: object): Promise<Answer<Json>> =>
    this.caller.call('POST', '/v3/personal_token', {
      token,
      json: { current_password: password, ...json },
    });

  async made(owner: Owner, json: object): Promise<{ token: string; id: string }> {
    const answer = await this.create(owner, { name: 'a token', ...json });
    if (answer.status !== 200) throw new Error(`The token was not created: ${answer.text}`);
    return { token: String(answer.body.token), id: String(answer.body.token_id) };
  }

  listOf = async ({ token }: Owner): Promise<Json[]> =>
    (await this.caller.call<Json[]>('GET', '/v3/personal_token', { token })).body;
}
