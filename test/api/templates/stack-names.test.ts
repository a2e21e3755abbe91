import { describe, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();

const create = async (members: object, query = '', token?: string) =>
  almanac.call('POST', `/v3/alm/template${query}`, {
    token: token ?? (await almanac.userToken()),
    json: { ...oneServer(), ...members },
  });
const remove = async (stackId: unknown) => {
  const token = await almanac.userToken();
  await almanac.call('DELETE', `/v3/alm/stack/${String(stackId)}?servers=replace`, { token });
  await almanac.waitFor(String(stackId), 'DELETE_COMPLETE');
};

describe('the name of a stack', () => {
  it('in a template is the nickname of the stack, and is not stored with the template', async () => {
    const { status, body } = await create({ name: 'shop' });
    expect(status).toBe(201);
    const stack = await almanac.describe(String(body.stack_id));
    expect(stack).toMatchObject({ nickname: 'shop', configuration: oneServer() });
  });

  it('in a template is refused with 409 while another stack has it, with the ways to go on', async () => {
    const { body: first } = await create({ name: 'once' });
    const second = await create({ name: 'once' });
    expect(second).toMatchObject({ status: 409, body: { message: 'A stack named "once" exists already' } });
    expect(second.body.description).toContain('alm up');
    expect(second.body.description).toContain('another=true');
    await remove(first.stack_id);
    expect((await create({ name: 'once' })).status).toBe(201);
  });

  it('is refused if a stack of either spelling has it, and never because of another account', async () => {
    await create({}, '?nickname=taken');
    expect((await create({ name: 'taken' })).status).toBe(409);
    const other = await almanac.otherAccountToken();
    expect((await create({ name: 'taken' }, '', other)).status).toBe(201);
  });

  it('may be that of another stack with another=true, and of several as a nickname, as clients know it', async () => {
    await create({ name: 'twice' });
    expect((await create({ name: 'twice' }, '?another=true')).status).toBe(201);
    for (const query of ['?nickname=equal', '?nickname=equal'])
      expect((await create({}, query)).status).toBe(201);
    for (const nickname of ['same', 'same']) expect((await create({ nickname })).status).toBe(201);
    const configurations = { architecture: 'art_single', type: 't2.micro', nickname: 'same' };
    const json = { cred: 'SANDBOX', region: 'ap-northeast-1', configurations };
    const token = await almanac.userToken();
    expect((await almanac.call('POST', '/v2/alm/stack', { token, json })).status).toBe(200);
  });

  it('with another=false is refused however it is given', async () => {
    await create({}, '?nickname=only');
    expect((await create({}, '?nickname=only&another=false')).status).toBe(409);
    expect((await create({ nickname: 'only' }, '?another=false')).status).toBe(409);
    expect((await create({}, '?another=false')).status).toBe(201);
  });

  it('of two requests at the same time is given to one', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => create({ name: 'raced' })));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201, 409, 409, 409,
    ]);
  });

  it.each([
    [{ name: 'mo-evil' }, ''],
    [{ nickname: 'mo-evil' }, ''],
    [{}, '?nickname=mo-evil'],
  ])('that begins as ids of stacks do is refused with 400: %o %s', async (members, query) => {
    const { status, body } = await create(members, query);
    expect([status, body.message]).toEqual([400, '"mo-evil" cannot be the name of a stack']);
  });

  it('written twice is a problem of the template', async () => {
    const { status, body } = await create({ name: 'one', nickname: 'two' });
    expect(status).toBe(400);
    expect(JSON.stringify(body.problems)).toContain('is set twice, as \\"name\\" and as \\"nickname\\"');
  });
});
