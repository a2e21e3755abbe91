import { Secret } from '../basics/secret.ts';
import type { Image } from '../docker-engine/types.ts';
import type { AppEngine } from './app-engine.ts';
import { type AgentLog, reasonOf } from './log.ts';
import type { Wanted } from './wanted.ts';

/** Named by its content: it is what it is, wherever it comes from. */
const isPinned = (image: string): boolean => image.includes('@sha256:');

/** A tag may have moved since. An image made on this machine has no registry, and a stranger's is not meant. */
const mayHaveMoved = async (engine: AppEngine, image: string): Promise<boolean> =>
  !isPinned(image) && engine.isFromRegistry(image);

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
    if (!present) throw new Error(`Image ${image} cannot be pulled: ${reasonOf(error)}`, { cause: error });
    log(`image ${image} cannot be pulled, the one that is here is used: ${reasonOf(error)}`);
  }
  const found = await engine.images.inspect(image);
  if (!found) throw new Error(`Image ${image} was pulled, but the engine does not have it.`);
  return found;
}
