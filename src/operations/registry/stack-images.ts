import { repositoryOn } from '../../model/registry/image-reference.ts';
import { ownerOf } from '../../model/registry/repository-name.ts';
import type { StackModel } from '../../model/stack-model.ts';
import { findStackById, type StackRow } from '../../store/stacks/stacks.ts';
import { readModels } from '../../store/stacks/version-models.ts';
import type { Service } from '../service.ts';
import { registryAddress } from './address.ts';

const imagesIn = (model: StackModel): string[] =>
  model.layers.flatMap(({ container }) => (container?.image ? [container.image] : []));

/** The version that instances change to, and the one that they still run. */
const versionsOf = ({ desired_version, settled_version }: StackRow): string[] =>
  settled_version === null ? [desired_version] : [desired_version, settled_version];

/** Repositories that the agents of a stack may pull from: those that its containers name, if they belong to its account. */
export async function repositoriesOfStack(
  service: Service,
  stackId: string,
  firstAccountId: string,
): Promise<ReadonlySet<string>> {
  const { query } = service.database;
  const address = await registryAddress(service);
  const stack = address ? await findStackById(query, stackId) : undefined;
  if (!address || !stack || stack.deleted_at !== null) return new Set();
  const { host } = new URL(address.url);
  const models = await readModels(query, stackId, versionsOf(stack));
  const names = models.flatMap(imagesIn).map((image) => repositoryOn(host, image));
  return new Set(
    names
      .filter((name) => name !== null)
      .filter((name) => ownerOf(name, firstAccountId) === stack.account_id),
  );
}
