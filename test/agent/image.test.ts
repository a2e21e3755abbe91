import { expect, it } from 'vitest';
import type { AppEngine } from '../../src/agent/app-engine.ts';
import { ensureImage } from '../../src/agent/deploy/image.ts';
import { createAgentLog } from '../../src/agent/log.ts';
import type { Wanted } from '../../src/agent/wanted.ts';
import { realClock } from '../../src/basics/clock.ts';
import { EngineError, EngineUnreachable } from '../../src/docker-engine/errors.ts';

const wanted = { image: 'images.example/site:live', registry: null } as unknown as Wanted;

/** The image is here, and pulling it again fails like this. */
function ensure(error: Error, signal = new AbortController().signal) {
  const pull = async () => {
    throw error;
  };
  const engine = {
    images: { inspect: async () => ({ id: 'here' }), pull },
    isFromRegistry: async () => true,
  };
  const log = createAgentLog(realClock, () => undefined);
  return ensureImage(engine as unknown as AppEngine, log, wanted, signal);
}
const says = (status: number, message: string) => new EngineError(status, message, 'POST /images/create');

it.each([
  says(500, 'Get "https://images.example/v2/": dial tcp: lookup images.example: no such host'),
  says(500, 'dial tcp 192.0.2.1:443: connect: connection refused'),
  says(500, 'net/http: request canceled while waiting for connection (Client.Timeout exceeded)'),
  says(500, 'received unexpected HTTP status: 503 Service Unavailable'),
  new EngineUnreachable('The container engine did not respond to POST /images/create: no data for 300 s'),
])('uses the image that is here when the registry cannot be asked: $message', async (error) => {
  expect((await ensure(error)).id).toBe('here');
});

it.each([
  says(404, 'manifest for images.example/site:live not found: manifest unknown'),
  says(404, 'pull access denied for site, repository does not exist'),
  says(500, 'Head "https://images.example/v2/site/manifests/live": unauthorized: wrong password'),
  says(500, 'error parsing HTTP 403 response body: denied: requested access to the resource is denied'),
  says(401, 'no'),
])('does not hide behind it when the registry refuses: $message', async (error) => {
  await expect(ensure(error)).rejects.toThrow(
    `cannot be pulled: ${error.message}. The one that is here is not used, because the registry refuses it.`,
  );
});

it('takes trouble that it does not know for a failure', async () => {
  await expect(ensure(says(500, 'no space left on device'))).rejects.toThrow('the network is not to blame');
});

it('uses nothing when the agent stops meanwhile', async () => {
  await expect(ensure(says(500, 'dial tcp'), AbortSignal.abort())).rejects.toThrow('aborted');
});
