import { pause } from '../../../basics/pause.ts';
import type { Service } from '../../service.ts';
import type { Push, TagPlace } from './refresh-tags.ts';

/** Together well below the time limit that the registry has for a notification. */
const waitsMs = [50, 100, 200, 400, 800];

/** The tag of an older push was written long ago: if it differs, it was pushed again or deleted. */
const recentMs = 60_000;

/**
 * Waits until the tag has the content of the push. Distribution 2 announces a push after writing the manifest and before writing the tag,
 * so that a read at once may not find the tag yet, or find its old content.
 */
export async function waitForTag(
  { clock }: Pick<Service, 'clock'>,
  { registry, repository, tag }: TagPlace,
  { digest, at }: Push,
): Promise<void> {
  if (clock.now() - at > recentMs) return;
  for (const ms of waitsMs) {
    if ((await registry.manifest(repository, tag))?.digest === digest) return;
    await pause(clock, ms);
  }
}
