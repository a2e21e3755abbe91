import { Failure } from '../../basics/failure.ts';
import { isRepositoryName } from '../../model/registry/repository-name.ts';
import type { RegistryAccess } from './sign-token.ts';

/** The actions that `*` stands for, in the order of a token. */
export const repositoryActions = ['pull', 'push', 'delete'] as const;
export type RepositoryAction = (typeof repositoryActions)[number];

export type RequestedAccess =
  | { type: 'repository'; name: string; actions: readonly RepositoryAction[] }
  /** All repositories of the registry. */
  | { type: 'registry'; name: 'catalog' };

const maxScopes = 100;

const malformed = (index: number, text: string): Failure => {
  const message = `scope ${index + 1} must be <type>:<name>:<actions>, not "${text.slice(0, 100)}"`;
  return new Failure('invalid_request', message, {
    description: 'For example repository:ann/shop:pull,push',
    problems: [{ path: 'scope', message }],
  });
};

/** A name may contain colons: only the first and the last one separate. */
function split(text: string, index: number): { type: string; name: string; actions: string[] } {
  const [, type, name, actions] = /^([a-z]+(?:\([a-z]+\))?):(.+):([^:]+)$/.exec(text) ?? [];
  if (type === undefined || name === undefined || actions === undefined) throw malformed(index, text);
  return { type, name, actions: actions.split(',') };
}

/** Undefined: a kind of resource, a name or an action that this registry does not have; it is left out of the token. */
function readScope(text: string, index: number): RequestedAccess | undefined {
  const { type, name, actions } = split(text, index);
  if (type === 'registry' && name === 'catalog') return { type, name };
  if (type !== 'repository' || !isRepositoryName(name)) return undefined;
  const wanted = repositoryActions.filter((action) => actions.includes(action) || actions.includes('*'));
  return { type, name, actions: wanted };
}

/** Parameters may be repeated, and each may have several scopes separated by spaces. */
export function readScopes(parameters: readonly string[]): RequestedAccess[] {
  const texts = parameters.flatMap((parameter) => parameter.split(' ')).filter((text) => text !== '');
  if (texts.length > maxScopes)
    throw new Failure(
      'invalid_request',
      `There are ${texts.length} scopes; at most ${maxScopes} are allowed`,
    );
  return texts.map(readScope).filter((scope) => scope !== undefined);
}

/** The scopes of a token as text, as RFC 6749 replies with them. */
export const scopeText = (access: readonly RegistryAccess[]): string =>
  access.map(({ type, name, actions }) => `${type}:${name}:${actions.join(',')}`).join(' ');
