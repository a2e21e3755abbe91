import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { freePort } from '../../agent/world/fake-engine.ts';
import { AlmanacProcess, knownLogin, login, runAlmanac } from '../../e2e/almanac-process.ts';
import { callHttp, type Json } from '../../http.ts';
import { makeTestPlace, type TestPlace } from '../../open-database.ts';
import { Clients, succeeded } from './clients.ts';
import type { FrontDoor } from './front-door.ts';
import { ImageLayout } from './image-layout.ts';
import { RegistryCaller } from './registry-caller.ts';
import { RegistryProcess } from './registry-process.ts';

type Settings = Readonly<Record<string, string>>;

export interface Person {
  username: string;
  password: string;
}

export const master: Person = { username: login.username, password: login.password };

/** A built server, and a registry with the configuration that `almanac registry config` prints. See `useRegistry`. */
export class RegistryWorld {
  readonly layout = new ImageLayout();
  readonly #clients: Clients[] = [];
  #settings: Settings;
  #users = 0;
  #place: TestPlace | undefined;
  #server: AlmanacProcess | undefined;
  registry: RegistryProcess | undefined;
  url = '';

  constructor(settings: Settings = {}) {
    this.#settings = settings;
  }

  async start(): Promise<void> {
    // Both know the address of the other, so both are chosen before they start.
    const [port, registryPort] = [await freePort(), await freePort()];
    this.url = `http://127.0.0.1:${registryPort}`;
    const addresses = { ALM_PORT: String(port), ALM_REGISTRY_URL: this.url };
    this.#settings = { ...knownLogin, ...addresses, ...this.#settings };
    this.#place = await makeTestPlace();
    this.#server = await AlmanacProcess.serve(this.#place, this.#settings);
    this.registry = await this.startRegistry();
  }

  get place(): TestPlace {
    return required(this.#place);
  }

  get server(): AlmanacProcess {
    return required(this.#server);
  }

  get host(): string {
    return new URL(this.url).host;
  }

  almanac(...args: string[]): Promise<string> {
    return succeeded(runAlmanac(this.place, args, this.#settings));
  }

  /** Stops the server and starts one on the same data, with additional settings. */
  async restartServer(settings: Settings = {}): Promise<void> {
    await this.server.kill('SIGTERM');
    this.#server = await AlmanacProcess.serve(this.place, { ...this.#settings, ...settings });
  }

  async startRegistry(): Promise<RegistryProcess> {
    return RegistryProcess.start(this.url, await this.writeConfig());
  }

  /** Starts a registry on the same data behind the address, for all new connections. */
  async startRegistryBehind(door: FrontDoor): Promise<RegistryProcess> {
    const port = await freePort();
    const address = `127.0.0.1:${port}`;
    const registry = await RegistryProcess.start(`http://${address}`, await this.writeConfig(), {
      REGISTRY_HTTP_ADDR: address,
    });
    door.target = port;
    return registry;
  }

  /** Writes the configuration of the registry, and its certificates. */
  async writeConfig(): Promise<string> {
    const file = join(this.place.directory, 'registry.yml');
    await this.almanac('registry', 'config', '--file', file);
    return file;
  }

  /** The same registry without tokens, at another address. */
  async startOpenRegistry(): Promise<RegistryProcess> {
    const port = await freePort();
    const file = join(this.place.directory, 'open.yml');
    const config = {
      version: 0.1,
      storage: {
        filesystem: { rootdirectory: join(this.place.directory, 'open') },
        delete: { enabled: true },
      },
      http: { addr: `127.0.0.1:${port}`, secret: 'unused' },
    };
    writeFileSync(file, JSON.stringify(config));
    return RegistryProcess.start(`http://127.0.0.1:${port}`, file);
  }

  /** The clients of a person, before any login. */
  clients(): Clients {
    const made = new Clients(this.host);
    this.#clients.push(made);
    return made;
  }

  /** Clients with the login of the person. podman first: it refuses when docker has stored a refresh token. */
  async signedIn(person: Person): Promise<Clients> {
    const made = this.clients();
    for (const client of ['podman', 'docker'] as const)
      await succeeded(made.login(client, person.username, person.password));
    return made;
  }

  caller(person: Person | null): RegistryCaller {
    return new RegistryCaller(this.url, person);
  }

  async createUser(username: string): Promise<Person> {
    const person = { username, password: `password of ${username} 8d1c` };
    const answer = await this.server.call('POST', '/v3/user', { json: person });
    if (answer.status !== 200) throw new Error(answer.text);
    return person;
  }

  /** A user with a name of its own, so that a retried test does not meet what its first try left. */
  createNewUser(): Promise<Person> {
    this.#users += 1;
    return this.createUser(`user${this.#users}`);
  }

  /** Gives the user a new role with one statement. */
  async attachRole(username: string, statement: object): Promise<void> {
    const scope = JSON.stringify({ Version: '2017-05-05', Statement: [statement] });
    const role = await this.server.call('POST', '/v3/role', { json: { name: `of ${username}`, scope } });
    const json = { username, role_id: role.body.role_id };
    const answer = await this.server.call('POST', '/v3/user/role', { json });
    if (answer.status !== 200) throw new Error(role.text + answer.text);
  }

  /** Another account. Its master signs in to the registry with the account's id and a dot before the name. */
  async createAccount(name: string): Promise<Person & { accountId: string; token: string }> {
    const created = JSON.parse(await this.almanac('account', 'create', name, '--json')) as Json;
    const answer = await callHttp('POST', `${this.server.url}/v3/access_token`, {
      json: { ...created, grant_type: 'password' },
    });
    const accountId = String(created.account_id);
    return {
      accountId,
      username: `${accountId}.${String(created.username)}`,
      password: String(created.password),
      token: String(answer.body.access_token),
    };
  }

  async close(): Promise<void> {
    for (const clients of this.#clients) clients.remove();
    this.layout.remove();
    await this.registry?.stop();
    await this.#server?.kill('SIGKILL');
    await this.#place?.remove();
  }
}

function required<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('The server is not running; use it in tests and hooks only');
  return part;
}

/** Starts a server and its registry before the tests of the file and stops them after. */
export const useRegistry = (settings: Settings = {}): RegistryWorld => {
  const world = new RegistryWorld(settings);
  beforeAll(() => world.start());
  afterAll(() => world.close());
  return world;
};
