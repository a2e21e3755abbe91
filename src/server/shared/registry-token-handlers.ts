import { entryOf } from '../../basics/entry-of.ts';
import { Failure } from '../../basics/failure.ts';
import type { registryTokenRoutes } from '../../contract/v3/registry/token.ts';
import type { Actor } from '../../operations/access/access.ts';
import {
  type IssuedRegistryToken,
  issueRegistryToken,
  type Proof,
} from '../../operations/registry/issue-token.ts';
import type { Service } from '../../operations/service.ts';
import type { Handlers } from '../http/binding.ts';

type TokenHandlers = Handlers<typeof registryTokenRoutes, Actor>;
type GetInput = Parameters<TokenHandlers['getRegistryToken']>[0];
type Form = Parameters<TokenHandlers['exchangeRegistryToken']>[0]['body'];

const present = ({ token, expiresInSeconds, issuedAt, scope, refreshToken }: IssuedRegistryToken) => ({
  token,
  access_token: token,
  expires_in: expiresInSeconds,
  issued_at: new Date(issuedAt).toISOString(),
  scope,
  ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
});

const proofOf = ({ basic, token }: Pick<GetInput, 'basic' | 'token'>): Proof => {
  if (basic) return { kind: 'password', username: basic.user, password: basic.password };
  return token === null ? { kind: 'none' } : { kind: 'access token', token };
};

const required = (form: Form, name: 'username' | 'password' | 'refresh_token'): string => {
  const value = form[name];
  if (value) return value;
  const message = `${name} not specified`;
  throw new Failure('invalid_request', message, { problems: [{ path: name, message }] });
};

const grants: Readonly<Record<string, (form: Form) => Proof>> = {
  password: (form) => ({
    kind: 'password',
    username: required(form, 'username'),
    password: required(form, 'password'),
  }),
  refresh_token: (form) => ({ kind: 'refresh token', token: required(form, 'refresh_token') }),
};

const proofIn = (form: Form): Proof => {
  const read = entryOf(grants, form.grant_type ?? '');
  if (read) return read(form);
  throw new Failure('unsupported_grant_type', 'grant_type must be password or refresh_token');
};

export const registryTokenHandlers = (service: Service): TokenHandlers => ({
  getRegistryToken: async ({ query, request, signedIn, ...input }) =>
    present(
      await issueRegistryToken(service, {
        caller: request,
        signedIn,
        proof: proofOf(input),
        service: query.service,
        scopes: query.scope ?? [],
        offline: query.offline_token === 'true',
      }),
    ),
  exchangeRegistryToken: async ({ body, request, signedIn }) =>
    present(
      await issueRegistryToken(service, {
        caller: request,
        signedIn,
        proof: proofIn(body),
        service: body.service,
        scopes: body.scope ?? [],
        offline: body.access_type === 'offline',
      }),
    ),
});
