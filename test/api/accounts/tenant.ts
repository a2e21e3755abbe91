import { setQuota } from '../../../src/operations/accounts/change-account.ts';
import { createAccount } from '../../../src/operations/accounts/create-account.ts';
import { eventually } from '../../http.ts';
import { oneServer } from '../../world.ts';
import type { Answer, Json, Request, ServedAlmanac } from '../served-almanac.ts';

interface TenantParts {
  almanac: ServedAlmanac;
  id: string;
  login: { client_id: string; client_secret: string; username: string; password: string };
  token: string;
}

/** An account that was created like the operator does it, used by its master user. */
export class Tenant {
  readonly id: string;
  readonly login: TenantParts['login'];
  readonly token: string;
  readonly #almanac: ServedAlmanac;

  private constructor({ almanac, id, login, token }: TenantParts) {
    this.#almanac = almanac;
    this.id = id;
    this.login = login;
    this.token = token;
  }

  static async create(almanac: ServedAlmanac, name: string): Promise<Tenant> {
    const { service } = almanac;
    const { id, credentials } = await createAccount(service, { name, username: 'root', password: null });
    const login = {
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret.reveal(),
      username: credentials.username,
      password: credentials.password.reveal(),
    };
    const token = await almanac.newToken({ ...login, grant_type: 'password' });
    return new Tenant({ almanac, id, login, token });
  }

  call<Body = Json>(method: string, path: string, request: Request = {}): Promise<Answer<Body>> {
    return this.#almanac.call<Body>(method, path, { token: this.token, ...request });
  }

  /** Creates a user without roles of its own, and signs it in. */
  async newUser(username: string): Promise<string> {
    const password = `password of ${username} in ${this.id}`;
    await this.call('POST', '/v3/user', { json: { username, password } });
    return this.#almanac.newToken({ ...this.login, username, password, grant_type: 'password' });
  }

  applyTemplate = (template: object = oneServer(), headers: Record<string, string> = {}) =>
    this.call('POST', '/v3/alm/template', { json: template, headers });

  async settledStack(template?: object): Promise<string> {
    const stackId = String((await this.applyTemplate(template)).body.stack_id);
    await this.waitFor(stackId, 'CREATE_COMPLETE');
    return stackId;
  }

  async waitFor(stackId: string, status: string): Promise<void> {
    await eventually(
      async () => (await this.call('GET', `/v3/alm/stack/${stackId}`)).body,
      (stack) => stack.stack_status === status,
    );
  }

  setQuota = (quota: Parameters<typeof setQuota>[2]) => setQuota(this.#almanac.service, this.id, quota);
}
