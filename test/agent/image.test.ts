import { expect, it } from 'vitest';
import type { AppEngine } from '../../src/agent/app-engine.ts';
import { ensureImage } from '../../src/agent/deploy/image.ts';
import { createAgentLog } from '../../src/agent/log.ts';
import { realClock } from '../../src/basics/clock.ts';
import { EngineError, EngineUnreachable } from '../../src/docker-engine/errors.ts';

const deployment = { image: 'images.example/site:live', registry: null };

/** Ensures an image that exists locally and whose pull fails with the error. */
function ensure(error: Error, signal = new AbortController().signal) {
  const pull = async () => {
    throw error;
  };
  const engine = {
    images: { inspect: async () => ({ id: 'local' }), pull },
    isFromRegistry: async () => true,
  };
  const log = createAgentLog(realClock, () => undefined);
  return ensureImage({ engine: engine as unknown as AppEngine, log, signal }, deployment);
}
const engineError = (status: number, message: string) =>
  new EngineError(status, message, 'POST /images/create');

it.each([
  engineError(500, 'Get "https://images.example/v2/": dial tcp: lookup images.example: no such host'),
  engineError(500, 'dial tcp 192.0.2.1:443: connect: connection refused'),
  engineError(500, 'net/http: request canceled while waiting for connection (Client.Timeout exceeded)'),
  engineError(500, 'received unexpected HTTP status: 503 Service Unavailable'),
  new EngineUnreachable('The container engine did not respond to POST /images/create: no data for 300 s'),
])('uses the local image when the registry is unreachable: $message', async (error) => {
  expect((await ensure(error)).id).toBe('local');
});

it.each([
  engineError(404, 'manifest for images.example/site:live not found: manifest unknown'),
  engineError(404, 'pull access denied for site, repository does not exist'),
  engineError(500, 'Head "https://images.example/v2/site/manifests/live": unauthorized: wrong password'),
  engineError(
    500,
    'error parsing HTTP 403 response body: denied: requested access to the resource is denied',
  ),
  engineError(401, 'no'),
])('does not use the local image when the registry denies the request: $message', async (error) => {
  await expect(ensure(error)).rejects.toThrow(
    `Cannot pull image images.example/site:live: ${error.message}. The local image is not used, because the registry denied the request.`,
  );
});

it('fails on an unknown error', async () => {
  await expect(ensure(engineError(500, 'no space left on device'))).rejects.toThrow(
    'this is not a network error',
  );
});

it('fails when the agent stops during the pull', async () => {
  await expect(ensure(engineError(500, 'dial tcp'), AbortSignal.abort())).rejects.toThrow('aborted');
});
