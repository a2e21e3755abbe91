import { rolloutContract } from '../vendors/rollout-contract.ts';
import { removeStacks } from './world/own-cloud.ts';
import { ownProject } from './world/own-project.ts';
import { describeOnFullRig, rig } from './world/rig.ts';
import { OpenStackWorld } from './world/world.ts';

describeOnFullRig('an application', () =>
  rolloutContract('OpenStack (nothing boots: with reports of agents by the test)', async () => {
    const project = await ownProject();
    const world = new OpenStackWorld({ user: project.user });
    const cred = world.access.credentialId;
    return {
      environment: { ALM_OPENSTACK_AUTH_URLS: rig.authUrl, ALM_OPENSTACK_POLL_SECONDS: '1' },
      credential: {
        vendor: 'openstack',
        credentials: {
          OpenStackAccessKeyId: cred,
          OpenStackSecretAccessKey: rig.password,
          OpenStackAccountName: 'rig',
          OpenStackAuthUrl: rig.authUrl,
        },
      },
      vendor: { openstack: { cred, region: rig.region } },
      instanceType: 't2.micro',
      stop: async () => {
        await removeStacks(world);
        await project.remove();
      },
    };
  }),
);
