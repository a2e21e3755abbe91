import { Secret } from '../../basics/secret.ts';
import { EngineError, EngineUnreachable } from '../../docker-engine/errors.ts';
import type { Image } from '../../docker-engine/types.ts';
import type { AppEngine } from '../app-engine.ts';
import type { Deployment } from '../deployment.ts';
import { DeployFailure, isDefinite } from '../failure.ts';
import { type AgentLog, reasonOf } from '../log.ts';

/** A digest identifies the content: it never changes. */
const isPinned = (image: string): boolean => image.includes('@sha256:');

/** A tag in a registry may move. An image built on this machine must not be replaced by one with the same name in a registry. */
const mayHaveMoved = async (engine: AppEngine, image: string): Promise<boolean> =>
  !isPinned(image) && engine.isFromRegistry(image);

/** Messages for a request that the registry denies. Matched by text: engines use different status codes. */
const denial =
  /denied|unauthori[sz]ed|authentication required|forbidden|not found|manifest unknown|name unknown|does not exist/i;

/** Messages for a registry that is unreachable or has an internal error. */
const outage =
  /dial tcp|no such host|server misbehaving|connection (refused|reset)|no route|unreachable|time(d )?out|deadline exceeded|broken pipe|\bEOF\b|bad gateway|service unavailable|gateway time|internal server error|too ?many ?requests/i;

const isDenied = (error: unknown): boolean =>
  (error instanceof EngineError && [401, 403, 404].includes(error.status)) || denial.test(reasonOf(error));

const isOutage = (error: unknown): boolean =>
  error instanceof EngineUnreachable || (!isDenied(error) && outage.test(reasonOf(error)));

/** Only an outage allows the local image: it must not hide a denied or failed pull. */
function checkFallback(image: string, present: Image | undefined, error: unknown): void {
  if (present && isOutage(error)) return;
  const message = `Cannot pull image ${image}: ${reasonOf(error)}`;
  const isRefused = isDenied(error) && !outage.test(reasonOf(error));
  const failure = { definite: isRefused || isDefinite(error), cause: error };
  if (!present) throw new DeployFailure(message, failure);
  const reason = isDenied(error) ? 'the registry denied the request' : 'this is not a network error';
  throw new DeployFailure(`${message}. The local image is not used, because ${reason}.`, failure);
}

/** Pulls the image from its registry. Uses the local image if the registry is unreachable. */
export async function ensureImage(
  { engine, log, signal }: { engine: AppEngine; log: AgentLog; signal: AbortSignal },
  { image, registry }: Pick<Deployment, 'image' | 'registry'>,
): Promise<Image> {
  const present = await engine.images.inspect(image).catch((error: unknown) => {
    // A bad reference: the pull explains it.
    if (isDefinite(error)) return undefined;
    throw error;
  });
  if (present && !(await mayHaveMoved(engine, image))) return present;
  const login = registry && { username: registry.username, password: new Secret(registry.password) };
  try {
    await engine.images.pull(image, { ...(login ? { login } : {}), signal });
  } catch (error) {
    signal.throwIfAborted();
    checkFallback(image, present, error);
    log(`cannot pull image ${image}, using the local image: ${reasonOf(error)}`);
  }
  const found = await engine.images.inspect(image);
  if (!found) throw new Error(`Image ${image} was pulled, but the engine does not have it.`);
  return found;
}

/** The digest of the image that a container runs, as its registry calls it; or else the engine's id of the image. */
export async function digestOf(engine: AppEngine, container: string): Promise<string> {
  const details = await engine.containers.inspect(container);
  if (!details) return '';
  const { image, imageId } = details;
  const digests = (await engine.images.inspect(imageId))?.digests ?? [];
  const found = digests.find((digest) => image.startsWith(digest.split('@')[0] ?? '')) ?? digests[0];
  return found?.split('@')[1] ?? imageId;
}
