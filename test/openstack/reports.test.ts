import { afterAll, beforeAll, expect, it } from 'vitest';
import { VirtualClock } from '../../src/basics/clock.ts';
import { Secret } from '../../src/basics/secret.ts';
import { reportAgentStatus } from '../../src/operations/agents/agent-report.ts';
import { credentialRow } from '../../src/operations/credentials/credential-row.ts';
import { readLayerKey } from '../../src/operations/ssh/layer-key.ts';
import type { DescribedStack } from '../../src/operations/stacks/read/describe-stack.ts';
import { saveCredential } from '../../src/store/access/credentials.ts';
import { openStackVendor } from '../../src/vendors/openstack/vendor.ts';
import type { Vendor } from '../../src/vendors/vendor.ts';
import { stackActor } from '../actors.ts';
import { eventually } from '../http.ts';
import { publicHalf } from '../public-half.ts';
import { World } from '../world.ts';
import { describeOnFullRig, rig } from './world/rig.ts';
import { OpenStackWorld } from './world/world.ts';

describeOnFullRig('Almanac on OpenStack', () => {
  const cloud = new OpenStackWorld();
  const credentialId = 'demo@Default/demo';
  let almanac: World;

  beforeAll(async () => {
    almanac = await World.open(new VirtualClock(Date.now()));
    const { service, actor } = almanac;
    const vendor = openStackVendor('openstack', {
      clock: almanac.clock,
      baseUrl: () => 'https://almanac.example',
      pollSeconds: 2,
      countCall: () => undefined,
      authUrls: { setting: 'ALM_OPENSTACK_AUTH_URLS', urls: [rig.authUrl], moved: new Map() },
    });
    (service.vendors as Map<string, Vendor>).set('openstack', vendor);
    const secret = new Secret(rig.password);
    const credential = { vendor: 'openstack', id: credentialId, secret, account: 'demo' } as const;
    await saveCredential(service.database.query, credentialRow(service, actor.accountId, credential));
  });
  afterAll(() => almanac.close());

  const template = {
    version: '2017-03-03',
    vendor: { openstack: { cred: credentialId, region: rig.region } },
    configurations: [
      { role: 'web', flag: 'web0', provision: { image: 'cirros', instance_type: 'm1.tiny', keypair: true } },
    ],
  };

  const until = (stackId: string, wanted: (stack: DescribedStack) => boolean): Promise<DescribedStack> =>
    eventually(
      async () => {
        await almanac.advance(2);
        return almanac.describe(stackId);
      },
      wanted,
      800,
    );
  const ends = ({ status }: DescribedStack): boolean => !status.endsWith('IN_PROGRESS');

  it('a server has the public half of the key that Almanac keeps, and its stack is complete once its agent reports', async () => {
    const stackId = await almanac.create(template);
    const waiting = await until(
      stackId,
      (stack) => ends(stack) || stack.view.instances[0]?.state === 'running',
    );
    expect(waiting.status).toBe('CREATE_IN_PROGRESS');
    const [server] = waiting.view.instances;
    const { keypair } = await cloud.cloud.read<{ keypair: { public_key: string } }>({
      service: 'compute',
      path: `/os-keypairs/${server?.keyName}`,
    });
    const key = await readLayerKey(almanac.service, await almanac.row(stackId), 'web0');
    expect(publicHalf(key.reveal())).toBe(keypair.public_key);

    await reportAgentStatus(almanac.service, stackActor(almanac.actor.accountId, stackId), {
      stackId,
      agentId: 'agent-of-the-test',
      status: 'running',
      instanceId: server?.id,
    });
    expect((await until(stackId, ends)).status).toBe('CREATE_COMPLETE');

    await almanac.delete(stackId);
    expect((await until(stackId, ends)).status).toBe('DELETE_COMPLETE');
    expect(almanac.errors).toEqual([]);
  });
});
