import { insertVersionSubmitter } from '../../../store/automatic/version-submitters.ts';
import type { Query } from '../../../store/database/database.ts';
import { insertVersionPulls } from '../../../store/registry/version-pulls.ts';
import type { Actor } from '../../access/access.ts';
import { submitterOf } from '../../submitter/submitter.ts';

interface Rights {
  version: { id: string; returned_from?: string | null };
  actor: Actor;
  /** Repositories that its agents may pull from. */
  pulls: readonly string[];
}

/**
 * Stores what a version may do later, in the name of who submitted it. For one that the server goes back to by itself, who submitted the
 * version before stays responsible.
 */
export async function keepRights(query: Query, { version, actor, pulls }: Rights): Promise<void> {
  await insertVersionPulls(query, version.id, pulls);
  const submitter = version.returned_from ? null : submitterOf(actor);
  if (submitter) await insertVersionSubmitter(query, version.id, submitter);
}
