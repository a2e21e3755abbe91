import { afterAll, beforeAll, expect, it } from 'vitest';
import { anyCloudModel } from '../../vendors/any-cloud.ts';
import { describeOnOverlay, startOverlay } from '../world/simulator.ts';
import { AwsWorld, newStack } from '../world/world.ts';

describeOnOverlay('the example for every cloud, on moto with the overlay', () => {
  let world: AwsWorld;
  beforeAll(async () => {
    world = await AwsWorld.start(startOverlay({ delaySeconds: 0 }));
  });
  afterAll(() => world.close());

  it('comes up on AWS unchanged except for its vendor: two servers behind a load balancer, and a database', async () => {
    const stack = newStack();
    const on = world.on(stack);
    expect(await on.apply(anyCloudModel(stack.region), 'v1')).toEqual({ accepted: true });
    await world.passAll();
    expect(await on.observe()).toMatchObject({ kind: 'settled', version: 'v1' });
    const { instances, databases, outputs } = await on.view();
    expect(instances).toMatchObject([
      { flag: 'Web', state: 'running' },
      { flag: 'Web', state: 'running' },
    ]);
    expect(databases).toMatchObject([{ engine: 'mysql', state: 'available' }]);
    expect(outputs.map(({ key }) => key)).toContain('Address');
  });
});
