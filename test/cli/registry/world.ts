import { AlmUser } from '../alm.ts';
import { FakeRegistry, FakeTokens } from './fake.ts';

export const annsPassword = 'ann-password-7c1d';
/** Of `ann/shop:latest`; its white space is part of its digest. */
export const latestManifest = '{ "schemaVersion": 2,\n  "layers": [] }';

/** A registry with images of ann and bob, who makes tokens for it, and people who go there. Registry and tokens are our own fakes. */
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

  get #places() {
    return { ALM_URL: this.tokens.url, ALM_REGISTRY_URL: this.registry.url };
  }

  /** Known by the environment. */
  readonly makeAnn = (): AlmUser =>
    new AlmUser({ ...this.#places, ALM_USERNAME: 'ann', ALM_PASSWORD: annsPassword });

  /** Knows where everything is, and nobody's password. */
  readonly makeSomebody = (): AlmUser => new AlmUser(this.#places);

  async close(): Promise<void> {
    await this.registry.close();
    await this.tokens.close();
  }
}
