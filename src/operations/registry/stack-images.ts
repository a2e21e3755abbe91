import { repositoryOn } from '../../model/registry/image-reference.ts';
import { ownerOf } from '../../model/registry/repository-name.ts';
import type { StackModel } from '../../model/stack-model.ts';
import { readVersionPulls } from '../../store/registry/version-pulls.ts';
import { findStackById, type StackRow } from '../../store/stacks/stacks.ts';
import { readModels } from '../../store/stacks/version-models.ts';
import { type RegistryReader, registryAddress } from './address.ts';

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

/**
 * Repositories that the agents of a stack may pull from: those that its containers name, if they belong to its account and the users
 * who submitted the versions were allowed to pull from them.
 */
export async function repositoriesOfStack(
  service: RegistryReader,
  stackId: string,
  firstAccountId: string,
): Promise<ReadonlySet<string>> {
  const { query } = service.database;
  const stack = await findStackById(query, stackId);
  if (!stack || stack.deleted_at !== null) return new Set();
  const versions = versionsOf(stack);
  const names = await repositoriesIn(service, await readModels(query, stackId, versions));
  if (names.size === 0) return names;
  const allowed = await readVersionPulls(query, versions);
  const isOwn = (name: string) => ownerOf(name, firstAccountId) === stack.account_id;
  return new Set([...names].filter((name) => allowed.has(name) && isOwn(name)));
}
