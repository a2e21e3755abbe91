import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { eventually } from '../../http.ts';
import { changeSandbox } from '../../stand-in-vendor.ts';
import { oneServer } from '../../world.ts';
import { useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();

it('nothing is compiled for a caller that closed the connection while the cloud was asked', async () => {
  const token = await almanac.userToken();
  const caller = new AbortController();
  let compiled = 0;
  let isAsked = false;
  let response: ServerResponse | undefined;
  const note = (message: unknown) => void ({ response } = message as { response: ServerResponse });
  const sandbox = almanac.service.vendors.get('sandbox');
  changeSandbox(almanac.service, {
    compile: (...input) => {
      compiled += 1;
      return sandbox?.compile(...input) ?? { ok: false, problems: [] };
    },
    listRegions: async () => {
      const closed = response && once(response, 'close');
      caller.abort();
      await closed;
      isAsked = true;
      return ['ap-northeast-1'];
    },
  });
  const call = (query: string, signal?: AbortSignal) =>
    fetch(`${almanac.url}/v3/alm/template/portability?vendor=sandbox${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(oneServer()),
      ...(signal ? { signal } : {}),
    });
  subscribe('http.server.request.start', note);
  await expect(call('&cred=SANDBOX', caller.signal)).rejects.toThrow();
  await eventually(async () => isAsked, Boolean);
  unsubscribe('http.server.request.start', note);
  // It waits for the report of the caller that left.
  const before = compiled;
  expect((await call('')).status).toBe(200);
  const ofOne = compiled - before;
  compiled = 0;
  await call('');
  expect({ before, ofOne }).toEqual({ before: 0, ofOne: compiled });
});
