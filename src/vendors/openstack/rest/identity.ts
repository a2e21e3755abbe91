import type { Secret } from '../../../basics/secret.ts';

/** Who signs in: a user in a project, or an application credential, which belongs to one project. */
export type Identity =
  | { kind: 'user'; user: string; userDomain: string; project: string; projectDomain: string }
  | { kind: 'application'; id: string };

const isId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

/** `user@domain/project`, with `@domain` at the end if the project is in another domain. User names may be mail addresses. */
const userForm = /^([^/]+)@([^@/]+)\/([^@]+?)(?:@([^@/]+))?$/;

/** Undefined: the id has neither of the two forms. */
export function parseIdentity(credentialId: string): Identity | undefined {
  if (isId(credentialId)) return { kind: 'application', id: credentialId };
  const [, user, userDomain, project, projectDomain] = userForm.exec(credentialId) ?? [];
  if (!user || !userDomain || !project) return undefined;
  return { kind: 'user', user, userDomain, project, projectDomain: projectDomain ?? userDomain };
}

export const identityForms =
  'Use the form user@domain/project with the password, or the id of an application credential (32 hexadecimal digits) with its secret';

/** `default` is the id of the first domain of every cloud; all other ids are 32 digits. */
const named = (text: string): { id: string } | { name: string } =>
  isId(text) || text === 'default' ? { id: text } : { name: text };

/** The body of a sign-in. An application credential has no scope: it belongs to a project. */
export function signInBody(identity: Identity, secret: Secret): unknown {
  if (identity.kind === 'application')
    return {
      auth: {
        identity: {
          methods: ['application_credential'],
          application_credential: { id: identity.id, secret: secret.reveal() },
        },
      },
    };
  const { user, userDomain, project, projectDomain } = identity;
  const known = { ...named(user), domain: named(userDomain), password: secret.reveal() };
  // Keystone finds an id without its domain.
  const scope = isId(project) ? { id: project } : { name: project, domain: named(projectDomain) };
  return {
    auth: { identity: { methods: ['password'], password: { user: known } }, scope: { project: scope } },
  };
}
