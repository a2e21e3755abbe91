import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withCallLimit } from '../../src/basics/calls/call-limit.ts';
import { Endpoints } from '../../src/basics/calls/endpoints.ts';
import { Silent, Unreachable } from '../../src/basics/calls/unreachable.ts';
import { VirtualClock } from '../../src/basics/clock.ts';
import { Secret } from '../../src/basics/secret.ts';
import { connect } from '../../src/docker-engine/connection.ts';
import { makeClients as makeAlicloud } from '../../src/vendors/alicloud/clients.ts';
import { makeClients as makeAws } from '../../src/vendors/aws/clients.ts';
import { callAws } from '../../src/vendors/aws/errors.ts';
import { send } from '../../src/vendors/openstack/rest/transport.ts';
import { SilentServer } from '../silent-server.ts';

let clock: VirtualClock;
let directory: string;
let server: SilentServer;
let socket: SilentServer;
beforeEach(async () => {
  clock = new VirtualClock();
  directory = await mkdtemp(join(tmpdir(), 'almanac-silent-'));
  [server, socket] = [await SilentServer.onPort(), await SilentServer.onSocketIn(directory)];
  vi.stubEnv('AWS_ENDPOINT_URL', `http://${server.host}`);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  server.close();
  socket.close();
  await rm(directory, { recursive: true, force: true });
});

const secret = new Secret('hush');
const access = { accountId: 'a', credentialId: 'key', secret, role: null, authUrl: null };

/** One call of each vendor to the silent server, and whether its request can be ended early. */
const vendors: Record<string, { call: () => Promise<unknown>; at: () => SilentServer; ends: boolean }> = {
  aws: {
    call: async () => {
      const sts = await makeAws(access, 'eu-west-1', () => {}).sts();
      return callAws(() => sts.getCallerIdentity({}));
    },
    at: () => server,
    ends: true,
  },
  openstack: {
    call: () => send(fetch, { service: 'identity', method: 'GET', url: `http://${server.host}/v3` }),
    at: () => server,
    ends: true,
  },
  alicloud: {
    call: () => {
      const endpoint = `http://${server.host}`;
      const parts = { access, region: 'cn-beijing', clock, countCall: () => {}, endpoint };
      return makeAlicloud(parts).call({ service: 'sts', action: 'GetCallerIdentity' });
    },
    at: () => server,
    ends: false,
  },
  docker: {
    call: () => connect(socket.path).status({ method: 'GET', path: '/_ping' }),
    at: () => socket,
    ends: true,
  },
};

describe.each(Object.entries(vendors))('a call of %s that nobody answers', (_, { call, at, ends }) => {
  it('ends with the limit of its work, and the next one at once', async () => {
    const endpoints = new Endpoints({ clock });
    const limit = { clock, ms: 10_000, stopping: new AbortController().signal, account: 'a', endpoints };
    const work = withCallLimit(limit, call);
    await expect.poll(() => at().callers).toBe(1);
    clock.advance(10_000);
    await expect(work).rejects.toThrow(Unreachable);
    await expect(work).rejects.toThrow('did not answer within 10 seconds');
    if (ends) await expect.poll(() => at().callers).toBe(0);
    await expect(withCallLimit(limit, call)).rejects.toThrow(Silent);
  });
});
