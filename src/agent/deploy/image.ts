import { Secret } from '../../basics/secret.ts';
import { EngineError, EngineUnreachable } from '../../docker-engine/errors.ts';
import type { Image } from '../../docker-engine/types.ts';
import type { AppEngine } from '../app-engine.ts';
import { type AgentLog, reasonOf } from '../log.ts';
import type { Wanted } from '../wanted.ts';

/** Named by its content: it is what it is, wherever it comes from. */
const isPinned = (image: string): boolean => image.includes('@sha256:');

/** A tag may have moved since. An image made on this machine has no registry, and a stranger's is not meant. */
const mayHaveMoved = async (engine: AppEngine, image: string): Promise<boolean> =>
  !isPinned(image) && engine.isFromRegistry(image);

/** The registry answered, and the answer is no. Engines give these different statuses, so their words must do. */
const refusal =
  /denied|unauthori[sz]ed|authentication required|forbidden|not found|manifest unknown|name unknown|does not exist/i;

/** It could not be asked, or has trouble of its own. */
const outage =
  /dial tcp|no such host|server misbehaving|connection (refused|reset)|no route|unreachable|time(d )?out|deadline exceeded|broken pipe|\bEOF\b|bad gateway|service unavailable|gateway time|internal server error|too ?many ?requests/i;

const isRefused = (error: unknown): boolean =>
  (error instanceof EngineError && [401, 403, 404].includes(error.status)) || refusal.test(reasonOf(error));

const isOutage = (error: unknown): boolean =>
  error instanceof EngineUnreachable || (!isRefused(error) && outage.test(reasonOf(error)));

/** What is refused or wrong must not go unnoticed behind an older image of the same name. */
function checkFallback(image: string, present: Image | undefined, error: unknown): void {
  if (present && isOutage(error)) return;
  const sentence = `Image ${image} cannot be pulled: ${reasonOf(error)}`;
  if (!present) throw new Error(sentence, { cause: error });
  const why = isRefused(error) ? 'the registry refuses it' : 'the network is not to blame';
  throw new Error(`${sentence}. The one that is here is not used, because ${why}.`, { cause: error });
}

/** Has the image at the engine, as its registry has it now, or where that does not answer as it is here. */
export async function ensureImage(
  engine: AppEngine,
  log: AgentLog,
  { image, registry }: Wanted,
  signal: AbortSignal,
): Promise<Image> {
  const present = await engine.images.inspect(image);
  if (present && !(await mayHaveMoved(engine, image))) return present;
  const login = registry && { username: registry.username, password: new Secret(registry.password) };
  try {
    await engine.images.pull(image, { ...(login ? { login } : {}), signal });
  } catch (error) {
    signal.throwIfAborted();
    checkFallback(image, present, error);
    log(`image ${image} cannot be pulled, the one that is here is used: ${reasonOf(error)}`);
  }
  const found = await engine.images.inspect(image);
  if (!found) throw new Error(`Image ${image} was pulled, but the engine does not have it.`);
  return found;
}
