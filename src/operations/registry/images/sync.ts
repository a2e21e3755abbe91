import { isRepositoryName } from '../../../model/registry/repository-name.ts';
import { listAllRepositories } from '../../../store/registry/repositories.ts';
import type { Service } from '../../service.ts';
import { openRegistry } from './open-registry.ts';
import { refreshRepository } from './refresh-tags.ts';

/** Reads the whole registry into the index, and removes from the index what is gone. Returns the number of repositories. */
export async function syncRegistry(
  service: Service,
  progress: (repository: string) => void = () => {},
): Promise<number> {
  const registry = await openRegistry(service);
  const names = new Set((await listAllRepositories(service.database.query)).map(({ name }) => name));
  for await (const page of registry.repositories())
    for (const name of page.filter(isRepositoryName)) names.add(name);
  for (const name of names) {
    await refreshRepository(service, registry, name);
    progress(name);
  }
  return names.size;
}
