import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServedAlmanac } from '../../api/served-almanac.ts';
import { oneServer } from '../../world.ts';
import { AlmUser } from '../alm.ts';

let almanac: ServedAlmanac;
let root: AlmUser;
let token: string;
beforeAll(async () => {
  almanac = await ServedAlmanac.start();
  token = await almanac.userToken();
  root = new AlmUser({ ALM_URL: almanac.url, ALM_TOKEN: token });
});
afterAll(async () => {
  root.close();
  await almanac.close();
});

const image = { container_image: 'httpd:2.4' };
const layers = (...containers: object[]) => layersOf(1, ...containers);
const layersOf = (servers: number, ...containers: object[]) => {
  const { configurations, ...rest } = oneServer(servers);
  const layerWith = (container: object, index: number) =>
    Object.assign({}, configurations[0], { flag: ['Web', 'Api'][index], container });
  return { ...rest, configurations: containers.map(layerWith) };
};
async function created(template: object): Promise<string> {
  const stackId = await almanac.applyTemplate(template);
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
  return stackId;
}
const failNext = (stackId: string) =>
  almanac.call('POST', '/v3/sandbox/fault', {
    token,
    json: { kind: 'fail_resource', position: 1, stack_id: stackId },
  });

describe('alm restart', () => {
  it('of containers whose variables are a template function ends with 2 and names the member', async () => {
    const stackId = await created(
      layers(
        { ...image, container_env_vars: { MODE: 'live' } },
        { ...image, container_env_vars: '${copy(Web.container.container_env_vars)}' },
      ),
    );
    const { version_id } = await almanac.describe(stackId);
    const { code, stderr } = await root.run(['restart', stackId, '--flag', 'Api']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('container_env_vars') });
    expect(await almanac.describe(stackId)).toMatchObject({ version_id });
  });
});

describe('a stack whose last change failed', () => {
  const failedUpdate = async () => {
    const stackId = await created(layers(image));
    await failNext(stackId);
    const json = layersOf(2, image);
    expect((await almanac.call('PUT', `/v3/alm/template/${stackId}`, { token, json })).status).toBe(202);
    const { version_id } = await almanac.waitFor(stackId, 'UPDATE_FAILED');
    return { stackId, version_id };
  };
  const imageOf = async (stackId: string) => {
    const { configuration } = await almanac.describe(stackId);
    return (configuration as { configurations: { container: object }[] }).configurations[0]?.container;
  };

  it('is not restarted: alm restart ends with 7 and says what to do', async () => {
    const { stackId, version_id } = await failedUpdate();
    const { code, stderr } = await root.run(['restart', stackId]);
    expect(code).toBe(7);
    expect(stderr).toContain(`Stack ${stackId} is UPDATE_FAILED`);
    expect(stderr).toContain(`alm deploy ${stackId} --image`);
    expect(stderr).toContain(`alm stack rollback ${stackId} --ver`);
    expect(await almanac.describe(stackId)).toMatchObject({ version_id, stack_status: 'UPDATE_FAILED' });
  });

  it('gets a new image by alm deploy, in the template that it has', async () => {
    const { stackId } = await failedUpdate();
    expect(await root.run(['deploy', stackId, '--image', 'httpd:2.5'])).toMatchObject({ code: 0 });
    expect(await almanac.describe(stackId)).toMatchObject({ stack_status: 'UPDATE_COMPLETE' });
    expect(await imageOf(stackId)).toMatchObject({ container_image: 'httpd:2.5' });
  });

  it('gets a new image by alm deploy also if its creation failed', async () => {
    await almanac.call('POST', '/v3/sandbox/fault', { token, json: { kind: 'fail_resource', position: 1 } });
    const stackId = await almanac.applyTemplate(layers(image));
    await almanac.waitFor(stackId, 'CREATE_FAILED');
    expect(await root.run(['deploy', stackId, '--image', 'httpd:2.5'])).toMatchObject({ code: 0 });
    expect(await imageOf(stackId)).toMatchObject({ container_image: 'httpd:2.5' });
  });
});
