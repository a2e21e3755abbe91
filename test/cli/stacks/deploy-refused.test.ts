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

describe('a stack whose last update failed', () => {
  it.each([['restart'], ['deploy', '--image', 'httpd:2.5']])(
    'is not updated again by alm %s, which ends with 7 and says what to do',
    async (command, ...flags) => {
      const stackId = await created(layers(image));
      await failNext(stackId);
      const json = layersOf(2, image);
      expect((await almanac.call('PUT', `/v3/alm/template/${stackId}`, { token, json })).status).toBe(202);
      const { version_id } = await almanac.waitFor(stackId, 'UPDATE_FAILED');
      const { code, stderr } = await root.run([command, stackId, ...flags]);
      expect(code).toBe(7);
      expect(stderr).toContain(`Stack ${stackId} is UPDATE_FAILED`);
      expect(stderr).toContain(`alm stack update ${stackId}`);
      expect(stderr).toContain(`alm stack rollback ${stackId} --ver`);
      expect(await almanac.describe(stackId)).toMatchObject({ version_id, stack_status: 'UPDATE_FAILED' });
    },
  );
});
