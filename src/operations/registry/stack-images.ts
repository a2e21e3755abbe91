import { repositoryOn } from '../../model/registry/image-reference.ts';
import { ownerOf } from '../../model/registry/repository-name.ts';
import type { StackModel } from '../../model/stack-model.ts';
import { findVersionSubmitter } from '../../store/automatic/version-submitters.ts';
import { insertVersionPulls, readVersionPulls } from '../../store/registry/version-pulls.ts';
import { findStackById, type StackRow } from '../../store/stacks/stacks.ts';
import { readModels } from '../../store/stacks/version-models.ts';
import type { Service } from '../service.ts';
import { actorOfSubmitter } from '../submitter/submitter.ts';
import { type RegistryReader, registryAddress } from './address.ts';
import { mayOnRepository } from './rights.ts';

/** Images of the containers, except those that they pull as a user of their own. */
const imagesIn = ({ layers }: StackModel): string[] =>
  layers.flatMap(({ container }) =>
    container?.image && container.registryUsername === null ? [container.image] : [],
  );

/** Repositories of the registry that the models name. */
export async function repositoriesIn(
  service: RegistryReader,
  models: readonly StackModel[],
): Promise<Set<string>> {
  const images = models.flatMap(imagesIn);
  const address = images.length > 0 ? await registryAddress(service) : null;
  if (!address) return new Set();
  const { host } = new URL(address.url);
  return new Set(images.flatMap((image) => repositoryOn(host, image) ?? []));
}

/** The version that instances change to, and the one that they still run. */
const versionsOf = ({ desired_version, settled_version }: StackRow): string[] =>
  settled_version === null ? [desired_version] : [desired_version, settled_version];

/** With the time: personal access tokens end. */
export type PullReader = RegistryReader & Pick<Service, 'clock'>;

/**
 * Repositories that the agents of a stack may pull from: those that its containers name, if they belong to its account and the users
 * who submitted the versions were allowed to pull from them.
 */
export async function repositoriesOfStack(
  service: PullReader,
  stackId: string,
  firstAccountId: string,
): Promise<ReadonlySet<string>> {
  const { query } = service.database;
  const stack = await findStackById(query, stackId);
  if (!stack || stack.deleted_at !== null) return new Set();
  const allowed = new Set<string>();
  for (const versionId of versionsOf(stack)) {
    const names = await repositoriesIn(service, await readModels(query, stackId, [versionId]));
    const own = [...names].filter((name) => ownerOf(name, firstAccountId) === stack.account_id);
    const known = await readVersionPulls(query, [versionId]);
    const open = own.filter((name) => !known.has(name));
    const now = await allowedNow(service, open, { stack, versionId, firstAccountId });
    for (const name of own) if (known.has(name) || now.includes(name)) allowed.add(name);
  }
  return allowed;
}

interface Submission {
  stack: StackRow;
  versionId: string;
  firstAccountId: string;
}

/**
 * Rights that were not decided when the version was submitted, because this server knew no registry then: what the submitter may pull
 * now. They are stored, as they would have been then.
 */
async function allowedNow(
  { database: { query }, clock }: PullReader,
  repositories: readonly string[],
  { stack, versionId, firstAccountId }: Submission,
): Promise<string[]> {
  const submitter = repositories.length > 0 && (await findVersionSubmitter(query, versionId));
  if (!submitter) return [];
  const actor = await actorOfSubmitter(query, { accountId: stack.account_id, now: clock.now(), submitter });
  if (!actor) return [];
  const allowed = repositories.filter((repository) =>
    mayOnRepository(actor, { action: 'pull', repository, firstAccountId }),
  );
  await insertVersionPulls(query, versionId, allowed);
  return allowed;
}
