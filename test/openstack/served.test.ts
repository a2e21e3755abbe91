import { afterAll, beforeAll, expect, it } from 'vitest';
import { normalAuthUrl } from '../../src/basics/net/auth-url.ts';
import { type Json, useServedAlmanac } from '../api/served-almanac.ts';
import { removeStacks } from './world/own-cloud.ts';
import { type OwnProject, ownProject } from './world/own-project.ts';
import { paced } from './world/paced.ts';
import { describeOnFullRig, rig } from './world/rig.ts';
import { patiently } from './world/steps.ts';
import { OpenStackWorld } from './world/world.ts';

const templateWith = (cred: string, count: number, region = rig.region) => ({
  version: '2017-03-03',
  label: `${count} servers`,
  vendor: { openstack: { cred, region } },
  configurations: [
    {
      role: 'web',
      flag: 'Web0',
      provision: {
        image: '${computed}',
        instance_type: 't2.micro',
        instance_count: count,
        keypair: true,
        subnet: { cidr: '10.0.0.0/24', public: true, auto_assign_public_ip: true },
      },
    },
  ],
});

interface Server {
  InstanceId: string;
  State: { Name: string };
}

describeOnFullRig('a served Almanac on OpenStack', () => {
  const almanac = useServedAlmanac({
    environment: {
      ALM_OPENSTACK_AUTH_URLS: `${rig.authUrl},http://127.0.0.1:1/v3`,
      ALM_OPENSTACK_POLL_SECONDS: '1',
    },
  });
  let project: OwnProject;
  let world: OpenStackWorld;
  let cred: string;
  beforeAll(async () => {
    project = await ownProject();
    world = new OpenStackWorld({ user: project.user });
    cred = world.access.credentialId;
  });
  afterAll(async () => {
    await removeStacks(world);
    await project.remove();
  });

  const call = async (method: string, path: string, json?: unknown) =>
    almanac.call(method, path, { token: await almanac.userToken(), ...(json === undefined ? {} : { json }) });

  const save = (id: string, secret: string, authUrl?: string) =>
    call('POST', '/v3/credentials', {
      vendor: 'openstack',
      credentials: {
        OpenStackAccessKeyId: id,
        OpenStackSecretAccessKey: secret,
        OpenStackAccountName: 'rig',
        ...(authUrl === undefined ? {} : { OpenStackAuthUrl: authUrl }),
      },
    });

  /** Everything in the project, listed by the services themselves. */
  async function inProject(): Promise<Record<string, number>> {
    const lists = {
      stacks: ['orchestration', '/stacks'],
      networks: ['network', '/v2.0/networks?shared=False&router%3Aexternal=False&fields=id'],
      routers: ['network', '/v2.0/routers?fields=id'],
      ports: ['network', '/v2.0/ports?fields=id'],
      floatingips: ['network', '/v2.0/floatingips?fields=id'],
      servers: ['compute', '/servers'],
      keypairs: ['compute', '/os-keypairs'],
      volumes: ['volumev3', '/volumes'],
    } as const;
    const counts: Record<string, number> = {};
    for (const [kind, [service, path]] of Object.entries(lists)) {
      const body = await patiently(() => world.cloud.read<Record<string, unknown[]>>({ service, path }));
      counts[kind] = body[kind]?.length ?? -1;
    }
    return counts;
  }
  const nothing = {
    stacks: 0,
    networks: 0,
    routers: 0,
    ports: 0,
    floatingips: 0,
    servers: 0,
    keypairs: 0,
    volumes: 0,
  };

  /** Waits for a status, and fails at once with the events of a stack that failed. */
  async function reaches(stackId: string, status: string): Promise<Json> {
    const { stack, events } = await paced(
      async () => ({
        stack: await almanac.describe(stackId),
        events: (await call('GET', `/v3/alm/stack/${stackId}/events`)).body,
      }),
      (found) => new RegExp(`^${status}$|_FAILED$`).test(String(found.stack['stack_status'])),
    );
    if (stack['stack_status'] !== status) throw new Error(`Not ${status}: ${JSON.stringify(events)}`);
    return stack;
  }

  const serversOf = (stack: Json): Server[] => stack['instances'] as Server[];
  const running = (stack: Json, count: number): boolean =>
    serversOf(stack).filter(({ State }) => State.Name === 'running').length === count;

  it('a stack is created, described, changed, given its key, and deleted through the API; nothing is left', async () => {
    expect((await save(cred, rig.password, rig.authUrl)).body).toEqual({
      status: 'success',
      verified: 'The vendor accepts the key.',
    });
    expect((await call('GET', '/v2/credentials/openstack')).body).toMatchObject([
      { id: cred, account: 'rig', authUrl: normalAuthUrl(rig.authUrl) },
    ]);
    const stackId = await almanac.applyTemplate(templateWith(cred, 1));
    await reaches(stackId, 'CREATE_COMPLETE');
    const created = await paced(
      () => almanac.describe(stackId),
      (stack) => running(stack, 1),
    );
    expect(created['stack_outputs']).toMatchObject([
      { OutputKey: 'Address', OutputValue: expect.stringMatching(/^\d+\./) },
    ]);
    expect(await inProject()).toMatchObject({ stacks: 1, networks: 1, routers: 1, servers: 1, keypairs: 1 });

    const updated = await call('PUT', `/v3/alm/template/${stackId}`, templateWith(cred, 2));
    expect(updated.status).toBe(202);
    await reaches(stackId, 'UPDATE_COMPLETE');
    const both = await paced(
      () => almanac.describe(stackId),
      (stack) => running(stack, 2),
    );
    const ids = serversOf(both).map(({ InstanceId }) => InstanceId);
    expect(ids).toContain(serversOf(created)[0]?.InstanceId);

    const link = await call('GET', `/v3/alm/pem?stack_id=${stackId}&flag=Web0`);
    const { pathname } = new URL(String(link.body['data']));
    expect((await almanac.call('GET', pathname)).text).toContain('PRIVATE KEY');

    expect((await call('DELETE', `/v3/alm/stack/${stackId}`)).status).toBe(200);
    await reaches(stackId, 'DELETE_COMPLETE');
    expect(await inProject()).toEqual(nothing);
  });

  it('requests to the cloud are counted in the metrics', async () => {
    const { text } = await almanac.call('GET', '/metrics');
    expect(text).toMatch(
      /almanac_vendor_calls_total\{vendor="openstack",service="identity",operation="POST"\} \d+/,
    );
    expect(text).toMatch(
      /almanac_vendor_calls_total\{vendor="openstack",service="orchestration",operation="GET"\} \d+/,
    );
  });

  it('an unknown region is rejected with those of the cloud, and nothing is made', async () => {
    const answer = await call('POST', '/v3/alm/template', templateWith(cred, 1, 'nowhere'));
    expect([answer.status, answer.body['message']]).toEqual([
      400,
      expect.stringContaining('There is no region nowhere; this cloud has RegionOne.'),
    ]);
    expect(await inProject()).toEqual(nothing);
  });

  it('a reached limit of the project is reported when a stack is submitted, and nothing is made', async () => {
    const admin = new OpenStackWorld({ user: 'admin' });
    const { projectId } = await world.cloud.session();
    const path = `/v2.0/quotas/${projectId}`;
    await admin.cloud.change({ service: 'network', method: 'PUT', path, body: { quota: { router: 0 } } });
    const answer = await call('POST', '/v3/alm/template', templateWith(cred, 1));
    await admin.cloud.change({ service: 'network', method: 'DELETE', path });
    expect([answer.status, answer.body['message']]).toEqual([400, expect.stringMatching(/limit of routers/)]);
    expect(await inProject()).toEqual(nothing);
  });

  it('a wrong password is reported when it is saved, and rejects a stack', async () => {
    const id = `${cred}@Default`;
    const saved = await save(id, 'wrong', rig.authUrl);
    expect(saved.body['verified']).toMatch(
      /does not accept the key: The cloud does not know the user.*or the password/,
    );
    const answer = await call('POST', '/v3/alm/template', templateWith(id, 1));
    expect([answer.status, answer.body['message']]).toEqual([
      502,
      expect.stringMatching(/^The vendor rejects the credential: The cloud does not know the user/),
    ]);
  });

  it('an address that is not listed is rejected, and one where nobody answers is reported', async () => {
    const unlisted = await save('a@Default/b', 's', 'http://127.0.0.1:5001/v3');
    expect([unlisted.status, unlisted.body['message']]).toEqual([
      400,
      expect.stringContaining('ALM_OPENSTACK_AUTH_URLS'),
    ]);
    const silent = await save('a@Default/b', 's', 'http://127.0.0.1:1');
    expect(silent.body['verified']).toBe('Saved, but the vendor could not be reached to check the key.');
    const answer = await call('POST', '/v3/alm/template', templateWith('a@Default/b', 1));
    expect([answer.status, answer.body['message']]).toEqual([
      502,
      expect.stringContaining('The vendor cannot be reached: Service identity at http://127.0.0.1:1'),
    ]);
  });
});
