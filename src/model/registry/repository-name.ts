/** Names of repositories in the container registry, and whose they are. The first component is the namespace. */

/** One component, as the registry accepts it. */
const component = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const maxLength = 255;

/** Whether the registry accepts this name of a repository. */
export const isRepositoryName = (name: string): boolean =>
  name.length <= maxLength && name.split('/').every((part) => component.test(part));

export const namespaceOf = (repository: string): string => repository.split('/', 1)[0] ?? '';

/** An account id is 13 hexadecimal digits. A namespace that starts with one never belongs to another account. */
const foreignNamespace = /^([0-9a-f]{13})\./;

/** The account that a repository belongs to, whether or not there is such an account. */
export const ownerOf = (repository: string, firstAccountId: string): string =>
  foreignNamespace.exec(namespaceOf(repository))?.[1] ?? firstAccountId;

/** What the names of repositories of an account start with; empty: those of the first account. */
export const accountPrefix = (accountId: string, firstAccountId: string): string =>
  accountId === firstAccountId ? '' : `${accountId}.`;

export interface NamedAccountUser {
  accountId: string;
  username: string;
}

/**
 * The namespace of a user: the name to sign in with that is unique on the server. Null: the registry does not accept the name, or it
 * looks like one of another account.
 */
export const namespaceOfUser = (
  { accountId, username }: NamedAccountUser,
  firstAccountId: string,
): string | null => {
  const namespace = accountPrefix(accountId, firstAccountId) + username;
  return component.test(namespace) && ownerOf(namespace, firstAccountId) === accountId ? namespace : null;
};

/** Whether a repository is below the namespace. */
export const isBelow = (repository: string, namespace: string): boolean =>
  repository.startsWith(`${namespace}/`);
