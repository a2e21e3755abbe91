import { afterEach, beforeEach, expect, it } from 'vitest';
import { compile as compileForSandbox } from '../../src/vendors/sandbox/compile.ts';
import type { Vendor } from '../../src/vendors/vendor.ts';
import { World } from '../world.ts';
import { anyCloudModel, anyCloudTemplate } from './any-cloud.ts';
import { compileForAws } from './golden/aws.ts';
import { compileForDocker } from './golden/docker.ts';
import { compileForOpenStack } from './golden/openstack.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

const clouds: [string, string, Vendor['compile']][] = [
  ['sandbox', 'ap-northeast-1', compileForSandbox],
  ['docker', 'local', compileForDocker],
  ['aws', 'eu-central-1', compileForAws],
  ['openstack', 'RegionOne', compileForOpenStack('openstack')],
];

it.each(clouds)('the example for every cloud compiles for %s', (_, region, compile) => {
  expect(compile(anyCloudModel(region), 'mo-5447826c870e7-golden000-tk')).toMatchObject({ ok: true });
});

it('the example for every cloud comes up on the sandbox', async () => {
  const stackId = await world.create(anyCloudTemplate());
  await world.settle();
  expect(await world.describe(stackId)).toMatchObject({ status: 'CREATE_COMPLETE' });
});
