import { insertVersionSubmitter } from '../../../store/automatic/version-submitters.ts';
import type { Query } from '../../../store/database/database.ts';
import { insertVersionPulls } from '../../../store/registry/version-pulls.ts';
import type { Actor } from '../../access/access.ts';
import { submitterOf } from '../../submitter/submitter.ts';

interface Rights {
  versionId: string;
  actor: Actor;
  /** Repositories that its agents may pull from. */
  pulls: readonly string[];
}

/** Stores what a version may do later, in the name of who submitted it. */
export async function keepRights(query: Query, { versionId, actor, pulls }: Rights): Promise<void> {
  await insertVersionPulls(query, versionId, pulls);
  const submitter = submitterOf(actor);
  if (submitter) await insertVersionSubmitter(query, versionId, submitter);
}
