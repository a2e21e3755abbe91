import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { oneServer } from '../../../world.ts';
import { useServedAlmanac } from '../../served-almanac.ts';
import { replaceDatabases } from '../../stand-in-replacing.ts';
import { V2Caller } from '../../v2/caller.ts';

const almanac = useServedAlmanac();
let token: string;
let v2: V2Caller;
beforeAll(async () => {
  token = await almanac.userToken();
  v2 = await V2Caller.of(almanac);
});

const withDatabase = () => {
  const { configurations, ...rest } = oneServer(1);
  const [layer] = configurations;
  const provision = { ...layer?.provision, rds: { engine: 'mysql', storage: 20 } };
  return { ...rest, configurations: [{ ...layer, provision }] };
};

describe('a rollback that removes a database', () => {
  /** A stack whose first version has no database, and whose second one has. */
  const created = async () => {
    const stackId = await almanac.applyTemplate(oneServer(1));
    const { version_id } = await almanac.waitFor(stackId, 'CREATE_COMPLETE');
    await almanac.call('PUT', `/v3/alm/template/${stackId}`, { token, json: withDatabase() });
    const { dbinstances } = await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
    expect(dbinstances).toHaveLength(1);
    const rollBack = (query: string) =>
      almanac.call('POST', `/v3/alm/stack/${stackId}/rollback${query}`, { token, json: { version_id } });
    return { stackId, rollBack };
  };

  it('answers 409 with the way to confirm it, and changes nothing', async () => {
    const { stackId, rollBack } = await created();
    const answer = await rollBack('');
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: '2001' });
    expect(answer.text).toContain('?data=keep');
    const stack = await almanac.describe(stackId);
    expect(stack.stack_status).toBe('UPDATE_COMPLETE');
    expect(stack.dbinstances).toHaveLength(1);
  });

  it.each(['keep', 'delete'])('removes the database with data=%s', async (data) => {
    const { stackId, rollBack } = await created();
    expect((await rollBack(`?data=${data}`)).status).toBe(202);
    expect((await almanac.waitFor(stackId, 'UPDATE_COMPLETE')).dbinstances).toEqual([]);
  });

  it('answers 400 for another value of data', async () => {
    const { rollBack } = await created();
    const answer = await rollBack('?data=drop');
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ problems: [{ path: 'data' }] });
  });
});

const environment = () => ({ envvars: { AT: String(Math.random()) } });
const code = () => ({ method: 'git_public', filepath: `https://git.test/${Math.random()}.git` });

describe.each([
  [
    'deploys code',
    (stackId: string, query: string) =>
      almanac.call('POST', `/v2/alm/stack/${stackId}/code${query}`, { token: v2.token, json: code() }),
  ],
  [
    'changes the server configuration',
    (stackId: string, query: string) =>
      almanac.call('PUT', `/v2/alm/serverconfig${query}`, {
        token: v2.token,
        json: { ...environment(), stack_id: stackId },
      }),
  ],
])('a v2 request that %s and removes data (what the vendor removes is a stand-in)', (_, send) => {
  let end = () => {};
  afterEach(() => end());
  const created = async (keptAs: string) => {
    end();
    const stackId = await v2.settled({
      architecture: 'art_single',
      type: 't2.micro',
      image: 'library/nginx',
      database: [{ Engine: 'db_mysql', DBtype: 'db.t2.micro', DBStorage: '10' }],
    });
    end = replaceDatabases(almanac.service, keptAs);
    return stackId;
  };

  it('answers 409 with the way to confirm it, and changes nothing', async () => {
    const stackId = await created('It is kept in a snapshot.');
    const answer = await send(stackId, '');
    expect(answer.status).toBe(409);
    expect(answer.body.message).toMatch(
      /DatabaseInstance \S+ \(\S+\) is replaced by an empty one\. Its data is kept/,
    );
    expect(answer.body.description).toContain('?data=keep');
    expect(answer.body.stores).toMatchObject([{ kind: 'database', confirm: ['data=keep', 'data=delete'] }]);
    expect(await v2.describe(stackId)).toMatchObject({ stack_status: 'CREATE_COMPLETE' });
  });

  it('is accepted with data=keep only if the data is kept, and with data=delete in any case', async () => {
    expect((await send(await created('It is kept in a snapshot.'), '?data=keep')).status).toBe(200);
    const lost = await created('');
    const refused = await send(lost, '?data=keep');
    expect(refused.status).toBe(409);
    expect(refused.body.description).toContain('?data=delete');
    expect(refused.body.stores).toMatchObject([{ confirm: ['data=delete'] }]);
    expect((await send(lost, '?data=delete')).status).toBe(200);
    await v2.waitFor(lost, 'UPDATE_COMPLETE');
  });

  it('answers 400 for another value of data', async () => {
    expect((await send(await created(''), '?data=drop')).status).toBe(400);
  });
});
