import { afterAll, afterEach, beforeAll } from 'vitest';
import { dataContract } from '../vendors/data-contract.ts';
import { dataWorld } from './world/data-world.ts';
import { clearProject, requestDeletions } from './world/own-cloud.ts';
import { type OwnProject, ownProject } from './world/own-project.ts';
import { describeOnFullRig } from './world/rig.ts';
import { OpenStackWorld } from './world/world.ts';

describeOnFullRig('a real OpenStack', () => {
  let project: OwnProject;
  let world: OpenStackWorld;
  beforeAll(async () => {
    project = await ownProject();
    world = new OpenStackWorld({ user: project.user });
  });
  // The next test does not wait for that.
  afterEach(() => requestDeletions(world));
  afterAll(async () => {
    await clearProject(world);
    await project.remove();
  });

  // By hand, one part at a time: ALM_DATA_CONTRACT=all ALM_WRITE_DATA_TABLE=1, and -t 'a database:'.
  dataContract('OpenStack', () => dataWorld(world), ['files', 'shared']);
});
