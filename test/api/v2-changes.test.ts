import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServedAlmanac } from './served-almanac.ts';
import { balanced, V2Caller } from './v2-caller.ts';

let almanac: ServedAlmanac;
let v2: V2Caller;
let token: string;
beforeAll(async () => {
  almanac = await ServedAlmanac.start();
  v2 = await V2Caller.of(almanac);
  token = v2.token;
});
afterAll(() => almanac.close());

describe('update', () => {
  it('changes only what is sent, as an object or as JSON text', async () => {
    const stack = await v2.settled(balanced);
    const path = `/v2/alm/stack/${stack}`;
    const answer = await almanac.call('PUT', path, { token, json: { configurations: '{"min":3,"max":6}' } });
    expect([answer.status, answer.body]).toEqual([200, { status: 'UPDATE_IN_PROGRESS' }]);
    await v2.waitFor(stack, 'UPDATE_COMPLETE');
    const updated = await v2.describe(stack);
    expect(updated.configuration).toMatchObject({
      min: '3',
      max: '6',
      type: 't2.micro',
      spotRange: '50',
      image: 'library/nginx',
    });
    expect(updated.instances).toHaveLength(3);
    await almanac.call('PUT', path, { token, json: { configurations: { type: 'm5.large' } } });
    await v2.waitFor(stack, 'UPDATE_COMPLETE');
    expect((await v2.describe(stack)).configuration).toMatchObject({ type: 'm5.large', min: '3' });
  });

  it('of two parts at once loses neither', async () => {
    const stack = await v2.settled(balanced);
    const path = `/v2/alm/stack/${stack}`;
    const changes = [{ max: 7 }, { type: 'm5.large' }, { spotRange: 10 }, { image: 'library/httpd' }];
    const answers = await Promise.all(
      changes.map((configurations) => almanac.call('PUT', path, { token, json: { configurations } })),
    );
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    await v2.waitFor(stack, 'UPDATE_COMPLETE');
    expect((await v2.describe(stack)).configuration).toMatchObject({
      max: '7',
      type: 'm5.large',
      spotRange: '10',
      image: 'library/httpd',
    });
  });

  it('keeps the secrets it does not name', async () => {
    const stack = await v2.settled({ ...balanced, code: 'git@git.test:a.git', gitPrivateKey: 'KEPT-KEY' });
    await almanac.call('PUT', `/v2/alm/stack/${stack}`, { token, json: { configurations: { max: 5 } } });
    const config = await almanac.call('GET', `/v3/alm/agent/config?stack_id=${stack}&flag=any`, { token });
    expect(config.body).toMatchObject({ gitPrivateKey: 'KEPT-KEY', image: 'library/nginx' });
  });

  it('that cannot work is refused, and of a stack being deleted or unknown too', async () => {
    const stack = await v2.settled(balanced);
    const path = `/v2/alm/stack/${stack}`;
    expect((await almanac.call('PUT', path, { token, json: { configurations: { min: 9 } } })).status).toBe(
      400,
    );
    expect((await almanac.call('PUT', path, { token, json: { configurations: '{"min":' } })).status).toBe(
      400,
    );
    await almanac.call('DELETE', path, { token });
    expect([404, 409]).toContain(
      (await almanac.call('PUT', path, { token, json: { configurations: { max: 5 } } })).status,
    );
    expect((await almanac.call('PUT', '/v2/alm/stack/mo-none', { token, json: {} })).status).toBe(404);
  });
});

describe('delete', () => {
  it('answers at once and leaves nothing', async () => {
    const stack = await v2.settled(balanced);
    const answer = await almanac.call('DELETE', `/v2/alm/stack/${stack}`, { token });
    expect([answer.status, answer.body]).toEqual([200, { status: 'DELETE_IN_PROGRESS' }]);
    await v2.waitFor(stack, 'DELETE_COMPLETE');
    expect((await almanac.call('GET', '/v2/alm/stack', { token })).text).not.toContain(stack);
    expect((await almanac.call('DELETE', `/v2/alm/stack/${stack}`, { token })).status).toBe(404);
  });
});
