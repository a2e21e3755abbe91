import { describe, expect, it } from 'vitest';
import { first, useServedAlmanac } from '../served-almanac.ts';
import { balanced, V2Caller } from '../v2/caller.ts';

const almanac = useServedAlmanac({ sandboxSpeed: 0.02 });

interface Streamed {
  id: number;
  kind: string;
  status: string;
}

/** Reads the stream until the event (or the end), then disconnects. */
async function follow(
  path: string,
  headers: Record<string, string>,
  until: (event: Streamed) => boolean,
): Promise<Streamed[]> {
  const response = await fetch(almanac.url + path, { headers });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const seen: Streamed[] = [];
  let text = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = parse(text.slice(0, end));
      text = text.slice(end + 2);
      if (event) seen.push(event);
      if (event && until(event)) return seen; // leaving the loop hangs up
    }
  }
  return seen;
}

function parse(block: string): Streamed | null {
  const data = /^data: (.*)$/m.exec(block)?.[1];
  if (!data) return null;
  const id = Number(/^id: (\d+)$/m.exec(block)?.[1]);
  const kind = /^event: (.*)$/m.exec(block)?.[1] ?? '';
  return { id, kind, status: (JSON.parse(data) as { status: string }).status };
}

const authorized = async () => ({ authorization: `Bearer ${await almanac.userToken()}` });

describe('the event stream', () => {
  it('the event stream has every event from the request to the end, once and in order', async () => {
    const stack = await almanac.applyTemplate();
    const seen = await follow(
      `/v3/alm/stack/${stack}/events/stream`,
      await authorized(),
      (event) => event.status === 'CREATE_COMPLETE' && event.kind === 'status',
    );
    expect(seen.map((event) => event.id)).toEqual(seen.map((_, index) => index + 1));
    expect(seen[0]).toMatchObject({ kind: 'request', status: 'CREATE_IN_PROGRESS' });
  });

  it('the event stream resumes after Last-Event-ID and ends when the stack is deleted', async () => {
    const stack = await almanac.applyTemplate();
    await almanac.waitFor(stack, 'CREATE_COMPLETE');
    const stream = follow(
      `/v3/alm/stack/${stack}/events/stream`,
      { ...(await authorized()), 'last-event-id': '3' },
      () => false,
    );
    await almanac.call('DELETE', `/v3/alm/stack/${stack}?servers=replace`, {
      token: await almanac.userToken(),
    });
    const seen = await stream;
    expect(seen[0]?.id).toBe(4);
    expect(seen.at(-1)).toMatchObject({ kind: 'status', status: 'DELETE_COMPLETE' });
  });

  it('the event stream and the estimate exist for v2 stacks, and each version has its own stacks only', async () => {
    const v2 = await V2Caller.of(almanac);
    const stack = await v2.settled(balanced);
    const token = v2.token;
    const seen = await follow(
      `/v2/alm/stack/${stack}/events/stream`,
      { authorization: `Bearer ${token}` },
      (event) => event.status === 'CREATE_COMPLETE' && event.kind === 'status',
    );
    expect(seen[0]).toMatchObject({ id: 1, kind: 'request', status: 'CREATE_IN_PROGRESS' });
    const estimate = await almanac.call('GET', `/v2/alm/stack/${stack}/estimate`, { token });
    expect(estimate.body).toMatchObject({ operation: 'CREATE', elapsed_seconds: null });
    const template = await almanac.applyTemplate();
    for (const what of ['events/stream', 'estimate']) {
      expect((await almanac.call('GET', `/v2/alm/stack/${template}/${what}`, { token })).status).toBe(404);
      expect((await almanac.call('GET', `/v2/alm/stack/${stack}/${what}`)).status).toBe(401);
      const user = await almanac.userToken();
      expect((await almanac.call('GET', `/v3/alm/stack/${stack}/${what}`, { token: user })).status).toBe(404);
    }
  });

  it('the event stream of an unknown stack or another account is 404, and without a token 401', async () => {
    const stack = await almanac.applyTemplate();
    const path = `/v3/alm/stack/${stack}/events/stream`;
    expect(
      (await almanac.call('GET', '/v3/alm/stack/mo-none/events/stream', { token: await almanac.userToken() }))
        .status,
    ).toBe(404);
    expect((await almanac.call('GET', path, { token: await almanac.otherAccountToken() })).status).toBe(404);
    expect((await almanac.call('GET', path)).status).toBe(401);
  });

  it('the event stream of an API client ends when its token is revoked', async () => {
    const stack = await (await V2Caller.of(almanac)).settled(balanced);
    const { client_id, client_secret } = first;
    const token = await almanac.newToken({ client_id, client_secret, grant_type: 'client_credentials' });
    const headers = { authorization: `Bearer ${token}` };
    const stream = follow(`/v2/alm/stack/${stack}/events/stream`, headers, () => false);
    const form = { token, client_id, client_secret };
    expect((await almanac.call('POST', '/v3/revoke', { form })).status).toBe(200);
    expect((await stream).length).toBeGreaterThan(1);
  });

  it('a HEAD request to the event stream leaves no open subscription', async () => {
    const stack = await almanac.applyTemplate();
    await almanac.waitFor(stack, 'CREATE_COMPLETE');
    let listening = 0;
    const { database } = almanac.service;
    const listen = database.listen.bind(database);
    database.listen = (channel, onNotify) => {
      listening += 1;
      const unsubscribe = listen(channel, onNotify);
      return () => {
        listening -= 1;
        unsubscribe();
      };
    };
    const token = await almanac.userToken();
    for (let times = 0; times < 5; times += 1)
      expect((await almanac.call('HEAD', `/v3/alm/stack/${stack}/events/stream`, { token })).status).toBe(
        200,
      );
    await expect.poll(() => listening, { interval: 50 }).toBe(0);
    database.listen = listen;
  });

  it('open event streams do not prevent the server from stopping', async () => {
    const stack = await almanac.applyTemplate();
    const stream = follow(`/v3/alm/stack/${stack}/events/stream`, await authorized(), () => false);
    await almanac.waitFor(stack, 'CREATE_COMPLETE');
    await almanac.restart();
    expect((await stream).length).toBeGreaterThan(1);
  });
});

describe('the estimate', () => {
  it('the estimate is based on past operations of the account, and is null before the first', async () => {
    const other = await almanac.otherAccountToken();
    const theirs = await almanac.applyTemplate(undefined, other);
    const before = await almanac.call('GET', `/v3/alm/stack/${theirs}/estimate?operation=UPDATE`, {
      token: other,
    });
    expect(before.body).toEqual({
      operation: 'UPDATE',
      samples: 0,
      p50_seconds: null,
      p90_seconds: null,
      elapsed_seconds: null,
    });

    const stack = await almanac.applyTemplate();
    await almanac.waitFor(stack, 'CREATE_COMPLETE');
    const after = await almanac.call('GET', `/v3/alm/stack/${stack}/estimate`, {
      token: await almanac.userToken(),
    });
    expect(after.body).toMatchObject({ operation: 'CREATE', elapsed_seconds: null });
    expect(after.body.samples).toBeGreaterThan(0);
    expect(Number(after.body.p90_seconds)).toBeGreaterThanOrEqual(Number(after.body.p50_seconds));
  });

  it('the estimate rejects an unknown operation, and does not find stacks of another account', async () => {
    const stack = await almanac.applyTemplate();
    const path = `/v3/alm/stack/${stack}/estimate`;
    expect(
      (await almanac.call('GET', `${path}?operation=DANCE`, { token: await almanac.userToken() })).status,
    ).toBe(400);
    expect((await almanac.call('GET', path, { token: await almanac.otherAccountToken() })).status).toBe(404);
    expect((await almanac.call('GET', path, { token: await almanac.clientToken() })).status).toBe(403);
  });
});
