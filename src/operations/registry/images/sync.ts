import { isRepositoryName } from '../../../model/registry/repository-name.ts';
import type { Registry } from '../../../registry/registry.ts';
import { listAllRepositories } from '../../../store/registry/repositories.ts';
import type { Service } from '../../service.ts';
import { isLasting } from './lasting-error.ts';
import { openRegistry } from './open-registry.ts';
import { refreshAndNotice } from './refresh-and-notice.ts';

export interface SyncResult {
  /** Number of repositories. */
  count: number;
  /** What could not be read, and why, in words. */
  failures: readonly string[];
}

async function syncRepository(service: Service, registry: Registry, name: string): Promise<string[]> {
  try {
    const failures = await refreshAndNotice(service, registry, name);
    return failures.map(({ tag, error }) => `${name}:${tag}: ${error.message}`);
  } catch (error) {
    if (!isLasting(error)) throw error;
    return [`${name}: ${error.message}`];
  }
}

/** Reads the whole registry into the index, and removes from the index what is gone. */
export async function syncRegistry(
  service: Service,
  progress: (repository: string) => void = () => {},
): Promise<SyncResult> {
  const registry = await openRegistry(service);
  const names = new Set((await listAllRepositories(service.database.query)).map(({ name }) => name));
  for await (const page of registry.repositories())
    for (const name of page.filter(isRepositoryName)) names.add(name);
  const failures: string[] = [];
  for (const name of names) {
    failures.push(...(await syncRepository(service, registry, name)));
    progress(name);
  }
  return { count: names.size, failures };
}
