import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/cli/net/api-error.ts';
import { connectionError } from '../../../src/cli/net/connection-error.ts';
import { notFoundHints } from '../../../src/cli/net/not-found-hints.ts';

const errorOf = (status: number, statusLine: string, body: object): ApiError =>
  new ApiError({ status, statusLine, text: JSON.stringify(body) });

describe('hints of errors', () => {
  it('a 403 names the action, the resource and who can allow it, and how to see the permissions', () => {
    const description =
      'You do not have permission for stack:deleteStack. The resource is mrn:alm:stack:mo-1. No statement of a role allows it. Ask the master to change your roles.';
    const error = errorOf(403, '403 Forbidden', {
      code: '4000',
      error: 'forbidden',
      message: 'RBAC response is limited.',
      description,
    });
    expect(error.message).toBe(`[403 Forbidden] ${description}`);
    expect([error.exitReason, error.hints]).toEqual([
      'forbidden',
      ['To see your permissions: alm whoami --permissions'],
    ]);
  });

  it('a 401 says how to sign in', () => {
    const body = { code: '1', error: 'unauthorized', message: 'Invalid token.', description: 'A header.' };
    expect(errorOf(401, '401 Unauthorized', body).hints).toEqual(['Sign in: alm login']);
  });

  const missing = JSON.stringify({ message: 'Stack mo-1 does not exist.' });
  it.each([
    ['http://a/v3/alm/stack/mo-1', missing, ['If the stack was created with v2: --apiver v2']],
    ['http://a/v2/alm/stack/mo-1', missing, ['If the stack was created with v3: --apiver v3']],
    ['http://a/v3/alm/stack/mo-1/layer', missing, []],
    ['http://a/v3/alm/stack/mo-1', '{"message":"Layer x does not exist."}', []],
    ['http://a/b/v3/v3/role', '', ['The URL must not end with the API version. Use: --url http://a/b']],
  ])('what is not found at %s has only hints that are true: %s', (url, text, hints) => {
    expect(notFoundHints(new URL(url), text)).toEqual(hints);
  });

  it.each([
    ['https://a:80/', 'EPROTO', 'The server does not use TLS at this port. Use: --url http://a:80'],
    ['http://a:443/', 'HPE_INVALID_CONSTANT', 'If the server uses TLS at this port: --url https://a:443'],
    ['https://a/', 'SELF_SIGNED_CERT_IN_CHAIN', 'To trust its certificate: NODE_EXTRA_CA_CERTS=<file> alm …'],
    [
      'http://a/',
      'ECONNREFUSED',
      'Is the server running? To use another URL: --url, ALM_URL, or alm login --url <url>',
    ],
  ])('a connection to %s that fails with %s says: %s', (url, code, hint) => {
    const { hints, exitReason } = connectionError(new URL(url), Object.assign(new Error('x'), { code }));
    expect([exitReason, hints]).toEqual(['noAnswer', [hint]]);
  });
});
