import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../../../src/basics/failure.ts';
import { updateServerConfig } from '../../../src/operations/stacks/change/server-config.ts';
import { describeStack } from '../../../src/operations/stacks/read/describe-stack.ts';
import {
  applyConfiguration,
  updateConfiguration,
} from '../../../src/operations/stacks/submit/apply-configuration.ts';
import type { WriteConditions } from '../../../src/operations/stacks/submit/write-conditions.ts';
import { World } from '../../world.ts';

let world: World;
let stack: string;
beforeEach(async () => {
  world = await World.open();
  const configurations = { architecture: 'art_elb', type: 't2.micro', image: 'web', max: 4 };
  const request = { vendor: 'aws', credentialId: 'SANDBOX', region: 'ap-northeast-1', configurations };
  stack = (await applyConfiguration(world.service, world.actor, request)).stackId;
});
afterEach(() => world.close());

const described = () => describeStack(world.service, world.actor, { stackId: stack, language: 'v2' });
const update = (configurations: object, conditions?: WriteConditions) =>
  updateConfiguration(world.service, world.actor, { stackId: stack, configurations, conditions });

/** Like a client that gets 503 with Retry-After: on a busy machine, not all of them get a connection in time. */
async function untilAvailable<T>(change: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof Failure && error.kind === 'unavailable')) throw error;
    }
}

describe('concurrent changes of one stack', () => {
  it.each([
    ['unconditional', undefined],
    ['for any version', { fingerprint: '', ifMatch: '*' }],
  ])('are all applied if they are %s', async (_, conditions) => {
    const parts = [
      { type: 'm5.large' },
      { spotRange: 10 },
      { image: 'httpd' },
      { code: 'x.git' },
      { max: 9 },
    ];
    const same = Array.from({ length: 12 }, () => ({ nickname: 'busy' }));
    const changes = [...same, ...parts, ...same].map((part) =>
      untilAvailable(() => update(part, conditions)),
    );
    const ports = untilAvailable(() =>
      updateServerConfig(world.service, world.actor, { stackId: stack, fields: { ports: [80] } }),
    );
    const versions = await Promise.all([...changes, ports]);
    expect(new Set(versions.map(({ versionId }) => versionId)).size).toBe(versions.length);
    expect((await described()).document).toMatchObject({
      configuration: Object.assign({}, ...parts, { spotRange: '10', max: '9', nickname: 'busy' }),
      server: { ports: [80] },
    });
  });

  it('with the same If-Match version: only one is applied, the others fail the precondition', async () => {
    const { versionId: ifMatch } = await described();
    const results = await Promise.allSettled(
      [5, 6, 7].map((max) => update({ max }, { fingerprint: '', ifMatch })),
    );
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(2);
    for (const { reason } of refused) expect(reason).toMatchObject({ kind: 'precondition_failed' });
    const [applied] = results.flatMap((result, index) => (result.status === 'fulfilled' ? [5 + index] : []));
    expect((await described()).document).toMatchObject({ configuration: { max: String(applied) } });
  });
});
