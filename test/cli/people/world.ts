import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { login } from '../../e2e/almanac-process.ts';
import { type Answer, callHttp, type Json } from '../../http.ts';
import { AlmUser, firstStack, type Served, serveForAlm } from '../alm.ts';

/** Message of `alm` after a change. */
export const payload = '[alm]: info: [200 OK] return payload:\n';

export const tableTime = /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d (\+0000|UTC)$/;

const cellsOf = (line: string): string[] => line.split(/ {5,}/);

export const header = (table: string): string[] => cellsOf(table.split('\n')[0] ?? '');

export const rowOf = (table: string, start: string): string[] | undefined =>
  table
    .split('\n')
    .filter((line) => line.startsWith(start))
    .map(cellsOf)[0];

export type SignedIn = AlmUser & { token: string };

/** A server, its master user, and the users a test creates. */
export class PeopleWorld {
  readonly served: Served;
  readonly #others: AlmUser[] = [];

  constructor(served: Served) {
    this.served = served;
  }

  static async start(): Promise<PeopleWorld> {
    return new PeopleWorld(await serveForAlm());
  }

  /** Creates a stack from the first example. */
  async stack(): Promise<string> {
    const { server } = this.served;
    const stackId = await server.applyTemplate(JSON.parse(readFileSync(firstStack, 'utf8')) as object);
    await server.waitFor(stackId, 'CREATE_COMPLETE');
    return stackId;
  }

  get root(): AlmUser {
    return this.served.root;
  }

  /** Reads from the API of the server. */
  async get<Body = Json>(path: string): Promise<Body> {
    return (await this.served.server.call<Body>('GET', path)).body;
  }

  signIn(fields: Readonly<Record<string, string>>): Promise<Answer<Json>> {
    const { client_id, client_secret } = login;
    const json = { grant_type: 'password', client_id, client_secret, ...fields };
    return callHttp('POST', `${this.served.server.url}/v3/access_token`, { json });
  }

  passwordOf = (name: string): string => `walnut ferry of ${name}`;

  /** Creates and signs in a user without roles. */
  async newUser(name: string): Promise<SignedIn> {
    const password = this.passwordOf(name);
    await this.root.json(['user', 'create', name, '--password', password]);
    const token = String((await this.signIn({ username: name, password })).body.access_token);
    const user = new AlmUser({ ALM_URL: this.served.server.url, ALM_TOKEN: token });
    this.#others.push(user);
    return Object.assign(user, { token });
  }

  /** Writes a file to the home directory of the master, where `alm` runs. */
  write(name: string, text: string): string {
    writeFileSync(join(this.root.home, name), text);
    return name;
  }

  async close(): Promise<void> {
    for (const user of this.#others) user.close();
    await this.served.close();
  }
}
