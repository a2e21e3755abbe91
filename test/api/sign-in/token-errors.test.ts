import { describe, expect, it } from 'vitest';
import { first, type Request, useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();

const { client_id, client_secret, username, password } = first;
const asClient = { grant_type: 'client_credentials', client_id, client_secret };
const asUser = { ...asClient, grant_type: 'password', username, password };
const basic = (user: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`,
});

const rejected = async (request: Request, path = '/v3/access_token') => {
  const answer = await almanac.call('POST', path, request);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'));
  return answer;
};

const missing = (name: string, from: Record<string, string>) => {
  const { [name]: _, ...json } = from;
  return { json };
};

describe('the token endpoint', () => {
  it.each([
    ['grant_type', asClient],
    ['client_id', asClient],
    ['client_secret', asClient],
    ['username', asUser],
    ['password', asUser],
  ])('a missing %s is reported as an invalid request', async (name, from) => {
    const answer = await rejected(missing(name, from));
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      code: '1000',
      error: 'invalid_request',
      message: `${name} not specified`,
      description: '',
      error_description: `${name} not specified`,
      request_id: expect.stringMatching(/^\S+$/),
    });
  });

  it('each version reports the grants it supports', async () => {
    const json = { ...asClient, grant_type: 'implicit' };
    const v3 = await rejected({ json });
    expect(v3.status).toBe(400);
    expect(v3.body).toMatchObject({
      code: '1000',
      error: 'unsupported_grant_type',
      message: 'grant_type must be client_credentials or password on /v3',
      error_description: 'grant_type must be client_credentials or password on /v3',
    });
    const v2 = await rejected({ json }, '/v2/access_token');
    expect(v2.body.message).toBe('grant_type must be client_credentials on /v2');
  });

  it('an unknown client and a wrong secret get the same 401 with a challenge', async () => {
    const unknown = await rejected({ json: { ...asClient, client_id: 'lg-nobody' } });
    const wrong = await rejected({ json: { ...asClient, client_secret: 'wrong' } });
    for (const answer of [unknown, wrong]) {
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="almanac"');
      expect(answer.body).toEqual({
        code: '0401',
        error: 'invalid_client',
        message: 'The client_id is unknown or its client_secret is wrong',
        description: '',
        error_description: 'The client_id is unknown or its client_secret is wrong',
        request_id: expect.any(String),
      });
    }
  });

  it('a client that used Basic gets a Basic challenge', async () => {
    const answer = await rejected({
      form: { grant_type: 'client_credentials' },
      headers: basic(client_id, 'wrong'),
    });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="almanac"');
  });

  it('rejects a client with different ids in header and body', async () => {
    const answer = await rejected({ json: asClient, headers: basic('lg-other', client_secret) });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe('invalid_request');
  });

  it('an unknown user and a wrong password get the same invalid_grant error', async () => {
    const unknown = await rejected({ json: { ...asUser, username: 'nobody' } });
    const wrong = await rejected({ json: { ...asUser, password: 'wrong' } });
    for (const answer of [unknown, wrong]) {
      expect(answer.status).toBe(400);
      expect(answer.headers.get('www-authenticate')).toBeNull();
      expect(answer.body).toMatchObject({
        code: '1000',
        error: 'invalid_grant',
        message: 'The username is unknown or the password is wrong',
        error_description: 'The username is unknown or the password is wrong',
      });
    }
  });

  it('rejects a stack with the password grant as an unauthorized client', async () => {
    const stackId = await almanac.applyTemplate();
    const { auth_token } = await almanac.describe(stackId);
    const answer = await rejected({ json: { ...asUser, client_id: stackId, client_secret: auth_token } });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe('unauthorized_client');
  });

  it('rejects a stack with a wrong auth_token, and an unknown stack', async () => {
    const stackId = await almanac.applyTemplate();
    for (const id of [stackId, 'mo-5447826c870e7-aB3dE6gH9-tk']) {
      const answer = await rejected({ json: { ...asClient, client_id: id, client_secret: 'wrong' } });
      expect(answer.status).toBe(401);
      expect(answer.body.error).toBe('invalid_client');
    }
  });

  it.each([
    [
      'a body that is not JSON',
      { raw: '{"grant_type":', headers: { 'content-type': 'application/json' } },
      400,
    ],
    ['a member of the wrong type', { json: { ...asClient, client_id: 5 } }, 400],
    ['a missing body', {}, 400],
    ['an unsupported media type', { raw: '<a/>', headers: { 'content-type': 'text/xml' } }, 415],
  ])('%s is reported as an RFC 6749 error', async (_, request: Request, status) => {
    const answer = await rejected(request);
    expect(answer.status).toBe(status);
    expect(answer.body.error).toBe('invalid_request');
    expect(answer.body.error_description).toEqual(expect.stringMatching(/./));
  });
});
