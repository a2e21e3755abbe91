import { countAccounts } from '../../store/access/account-rows.ts';
import { findPublicRepositories } from '../../store/registry/public-repositories.ts';
import type { Actor } from '../access/access.ts';
import type { Service } from '../service.ts';
import { mayListRepositories, mayOnRepository } from './rights.ts';
import type { RepositoryAction, RequestedAccess } from './scopes.ts';
import type { RegistryAccess } from './sign-token.ts';
import { repositoriesOfStack } from './stack-images.ts';

/** Null: nobody signed in. */
export type RegistryCaller = Actor | null;

type RepositoryScope = Extract<RequestedAccess, { type: 'repository' }>;
type May = (action: RepositoryAction, repository: string) => boolean;

/** Rights of the caller, without those that everybody has. */
async function rightsOf(service: Service, caller: RegistryCaller, firstAccountId: string): Promise<May> {
  if (caller === null) return () => false;
  if (caller.kind !== 'stack')
    return (action, repository) => mayOnRepository(caller, { action, repository, firstAccountId });
  const images = await repositoriesOfStack(service, caller.stackId, firstAccountId);
  return (action, repository) => action === 'pull' && images.has(repository);
}

/** The registry lists the repositories of all accounts, also of deleted ones: nobody may list them if there were several. */
const mayList = async (
  { database }: Service,
  caller: RegistryCaller,
  firstAccountId: string,
): Promise<boolean> =>
  caller !== null &&
  caller.accountId === firstAccountId &&
  mayListRepositories(caller) &&
  (await countAccounts(database.query)) === 1;

/** Asks whether repositories are public only where that makes a difference. */
async function withPublic(service: Service, scopes: readonly RepositoryScope[], may: May): Promise<May> {
  const names = scopes
    .filter(({ name, actions }) => actions.includes('pull') && !may('pull', name))
    .map(({ name }) => name);
  const open = await findPublicRepositories(service.database.query, names);
  return (action, name) => may(action, name) || (action === 'pull' && open.has(name));
}

/** One entry per repository, in the order they were first asked for. */
function merged(scopes: readonly RepositoryScope[]): RepositoryScope[] {
  const byName = new Map<string, Set<RepositoryAction>>();
  for (const { name, actions } of scopes)
    byName.set(name, new Set([...(byName.get(name) ?? []), ...actions]));
  return [...byName].map(([name, actions]) => ({ type: 'repository', name, actions: [...actions] }));
}

/** What the caller may do of what it asks for. What it may not do is left out; the registry then says so. */
export async function decideAccess(
  service: Service,
  caller: RegistryCaller,
  { requested, firstAccountId }: { requested: readonly RequestedAccess[]; firstAccountId: string },
): Promise<RegistryAccess[]> {
  const scopes = merged(requested.filter((each) => each.type === 'repository'));
  const may = await withPublic(service, scopes, await rightsOf(service, caller, firstAccountId));
  const repositories: RegistryAccess[] = scopes
    .map(({ type, name, actions }) => ({
      type,
      name,
      actions: actions.filter((action) => may(action, name)),
    }))
    .filter(({ actions }) => actions.length > 0);
  const asksList = requested.some(({ type }) => type === 'registry');
  if (!asksList || !(await mayList(service, caller, firstAccountId))) return repositories;
  return [...repositories, { type: 'registry', name: 'catalog', actions: ['*'] }];
}
