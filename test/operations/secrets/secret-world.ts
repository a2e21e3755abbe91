import { afterEach, beforeEach } from 'vitest';
import { Secret } from '../../../src/basics/secret.ts';
import type { Actor } from '../../../src/operations/access/access.ts';
import { readAgentConfig } from '../../../src/operations/agents/agent-config.ts';
import { readRollouts } from '../../../src/operations/rollouts/read-rollouts.ts';
import { setSecret } from '../../../src/operations/stacks/change/set-secret.ts';
import { stackActor } from '../../actors.ts';
import { World } from '../../world.ts';

/** A template with one layer per container, called `web0`, `web1` … */
export const withContainers = (...containers: object[]) => ({
  version: '2017-03-03',
  vendor: { aws: { cred: 'SANDBOX', region: 'ap-northeast-1' } },
  configurations: containers.map((container, index) => ({
    role: 'web',
    flag: `web${index}`,
    provision: { availability_zone: 'ap-northeast-1a' },
    container: { container_image: 'shop/web:1', ...container },
  })),
});

/** A world for each test, and what agents see in it. */
export function useSecretWorld() {
  let world: World;
  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  const config = (stackId: string, flag = 'web0', actor?: Actor) =>
    readAgentConfig(world.service, actor ?? stackActor(world.actor.accountId, stackId), { stackId, flag });

  return {
    world: () => world,
    set: (name: string, value: string, actor = world.actor) =>
      setSecret(world.service, actor, { name, value: new Secret(value) }),
    config,
    given: async (stackId: string, flag?: string, actor?: Actor) => {
      const secrets = (await config(stackId, flag, actor))?.secrets;
      const reveal = (map?: ReadonlyMap<string, Secret>) =>
        Object.fromEntries([...(map ?? [])].map(([name, secret]) => [name, secret.reveal()]));
      return { variables: reveal(secrets?.variables), files: reveal(secrets?.files) };
    },
    revision: async (stackId: string, flag?: string) => (await config(stackId, flag))?.updated ?? 0,
    rollouts: async (stackId: string) =>
      (await readRollouts(world.service, world.actor, { stackId })).map(({ row }) => row),
  };
}
