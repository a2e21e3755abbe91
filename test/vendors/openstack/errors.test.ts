import { describe, expect, it } from 'vitest';
import { CloudError, Refusal, readError, toAnswer } from '../../../src/vendors/openstack/errors.ts';
import { explain } from '../../../src/vendors/openstack/rest/explain.ts';
import { CredentialRejected, Unreachable } from '../../../src/vendors/vendor.ts';
import { FakeCloud } from './fake-cloud.ts';

const read = { service: 'orchestration', path: '/stacks' } as const;

describe('errors of services', () => {
  it.each([
    [
      { code: 409, error: { type: 'StackExists', message: 'Taken.' } },
      { type: 'StackExists', message: 'Taken.' },
    ],
    [
      { error: { code: 401, title: 'Unauthorized', message: 'No.' } },
      { type: 'Unauthorized', message: 'No.' },
    ],
    [{ NeutronError: { type: 'OverQuota', message: 'Full.' } }, { type: 'OverQuota', message: 'Full.' }],
    [{ itemNotFound: { code: 404, message: 'Gone.' } }, { type: '', message: 'Gone.' }],
    [
      { faultcode: 'Client', faultstring: 'Wrong.' },
      { type: '', message: 'Wrong.' },
    ],
  ])('%j is read', (body, expected) => {
    expect(readError(body, JSON.stringify(body))).toEqual(expected);
  });

  it('a page is read as text', () => {
    expect(readError(undefined, '<html><h1>502 Bad\nGateway</h1></html>').message).toBe('502 Bad Gateway');
  });

  it.each([429, 408, 500, 502, 503])('status %i is an outage', async (status) => {
    const cloud = new FakeCloud();
    cloud.answers = () => ({ status, text: 'x' });
    await expect(cloud.client().read(read)).rejects.toThrow(Unreachable);
  });

  it('a connection that breaks is an outage with its reason', async () => {
    const cloud = new FakeCloud();
    cloud.answers = () => new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    await expect(cloud.client().read(read)).rejects.toThrow(
      /cloud\.example does not answer: connect ECONNREFUSED/,
    );
  });

  it('an answer that is not JSON is an outage', async () => {
    const cloud = new FakeCloud();
    cloud.answers = () => ({ text: '<html>' });
    await expect(cloud.client().read(read)).rejects.toThrow(Unreachable);
  });

  it('a missing role is a rejected credential', async () => {
    const cloud = new FakeCloud();
    cloud.answers = () => ({ status: 403, body: { error: { type: 'Forbidden', message: 'No.' } } });
    await expect(cloud.client().read(read)).rejects.toThrow(CredentialRejected);
  });

  it('a rejection becomes a refused answer, an outage does not', async () => {
    const rejection = new CloudError('orchestration', 400, {
      type: 'StackValidationFailed',
      message: 'Bad.',
    });
    expect(await toAnswer(() => Promise.reject(rejection))).toEqual({ accepted: false, reason: 'Bad.' });
    expect(await toAnswer(() => Promise.reject(new Refusal('No.')))).toEqual({
      accepted: false,
      reason: 'No.',
    });
    await expect(toAnswer(() => Promise.reject(new Unreachable('x')))).rejects.toThrow(Unreachable);
  });
});

describe('reasons of failures', () => {
  it.each([
    [
      "Resource CREATE failed: OverQuotaClient: resources.n2: Quota exceeded for resources: ['network'].\nNeutron server returns request_ids: ['req-1']",
      'networks',
    ],
    [
      'Resource CREATE failed: Forbidden: resources.s: Quota exceeded for cores: Requested 2, but already used 0 of 1 cores (HTTP 403) (Request-ID: req-9)',
      'CPU cores',
    ],
    ['VolumeLimitExceeded: resources.v: Maximum number of volumes allowed (1) exceeded for quota', 'volumes'],
  ])('a reached limit is named, without request ids: %s', (reason, limit) => {
    const text = explain(reason);
    expect(text).toContain(`The project has reached its limit of ${limit}. Ask for more, or delete a stack.`);
    expect(text).not.toContain('req-');
  });

  it('an expired token is named', () => {
    expect(explain("Unauthorized: resources.n: 401-{'error': {}}")).toContain('The token expired');
    expect(
      explain(
        'Resource CREATE failed: HTTPUnauthorized: resources.Inner: ERROR: The request you have made requires authentication.',
      ),
    ).toContain('The token expired');
  });

  it('a reached time limit is named', () => {
    expect(explain('Timed out')).toContain('Update the stack to continue');
  });

  it('any other reason stays as it is', () => {
    expect(explain('Conflict: resources.sg: Security Group 4990 in use.')).toBe(
      'Conflict: resources.sg: Security Group 4990 in use.',
    );
  });
});
