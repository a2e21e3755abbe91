import { expect, it } from 'vitest';
import { domain, manyThings } from './many-things.ts';
import { startOverlay } from './simulator.ts';
import { AwsWorld, newStack } from './world.ts';
it('works', async () => {
  const world = await AwsWorld.before(startOverlay({ delaySeconds: 0 }));
  await world.cloud.issueCertificate(domain);
  const on = world.on(newStack());
  await on.apply(manyThings(2), 'v1');
  await world.passAll();
  await on.apply(manyThings(3), 'v2');
  await world.passAll();
  console.log((await on.observe()).kind, (await on.view()).instances.length);
  const g = (await world.cloud.autoScaling.describeAutoScalingGroups({})).AutoScalingGroups?.[0];
  console.log(g?.MinSize, g?.DesiredCapacity, g?.Instances, g?.Tags);
  for (const i of await world.cloud.instances()) console.log(i.InstanceId, i.State, i.Tags);
  await world.close();
});
