import { AlmUser } from '../alm.ts';
import { FakeRegistry, FakeTokens } from './fake.ts';

export const annsPassword = 'ann-password-7c1d';
/** Manifest of `ann/shop:latest`; its white space is part of its digest. */
export const latestManifest = '{ "schemaVersion": 2,\n  "layers": [] }';

/** Fake registry with images of ann and bob, its fake token service, and users of both. */
export class RegistryWorld {
  readonly tokens = new FakeTokens();
  readonly registry = new FakeRegistry(this.tokens);

  static async start(): Promise<RegistryWorld> {
    const world = new RegistryWorld();
    const { tokens, registry } = world;
    await tokens.start();
    await registry.start();
    tokens.users.set('ann', { password: annsPassword, scopes: ['registry:catalog:*', 'repository:ann/*'] });
    registry.realm = `${tokens.url}${tokens.path}`;
    for (const tag of ['1.2', '1.3', '1.4']) registry.put('ann/shop', tag, `{"shop":"${tag}"}`);
    registry.put('ann/shop', 'latest', latestManifest);
    registry.put('ann/blog', '1', '{"blog":1}');
    registry.put('bob/cart', '1', '{"cart":1}');
    return world;
  }

  get #addresses() {
    return { ALM_URL: this.tokens.url, ALM_REGISTRY_URL: this.registry.url };
  }

  /** A user with credentials in the environment. */
  readonly makeAnn = (): AlmUser =>
    new AlmUser({ ...this.#addresses, ALM_USERNAME: 'ann', ALM_PASSWORD: annsPassword });

  /** A user with addresses but without credentials. */
  readonly makeAnonymous = (): AlmUser => new AlmUser(this.#addresses);

  async close(): Promise<void> {
    await this.registry.close();
    await this.tokens.close();
  }
}
