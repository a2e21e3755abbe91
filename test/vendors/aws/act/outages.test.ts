import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../../src/basics/clock.ts';
import { Secret } from '../../../../src/basics/secret.ts';
import { callAws, readAws, toAnswer } from '../../../../src/vendors/aws/errors.ts';
import { awsVendor } from '../../../../src/vendors/aws/vendor.ts';
import { accepted, CredentialRejected, Unreachable } from '../../../../src/vendors/vendor.ts';

const fail = (error: unknown) => async () => Promise.reject(error);
const named = (name: string, members: object) => Object.assign(new Error('words'), { name, ...members });

const outages: [string, Error][] = [
  ['a refused connection', named('Error', { code: 'ECONNREFUSED', $metadata: { attempts: 5 } })],
  ['an unknown host', named('Error', { code: 'ENOTFOUND' })],
  ['a TLS error', named('Error', { code: 'CERT_HAS_EXPIRED' })],
  ['a timeout', named('TimeoutError', { $metadata: { attempts: 5 } })],
  ['a 503', named('ServiceUnavailable', { $metadata: { httpStatusCode: 503 } })],
  ['throttling', named('ThrottlingException', { $metadata: { httpStatusCode: 400 } })],
  ['an unreadable response', Object.assign(new SyntaxError('<'), { $response: {} })],
];

const bugs: [string, Error][] = [
  ['a TypeError', new TypeError("Cannot read properties of undefined (reading 'id')")],
  [
    'a TypeError that passed the retries of the SDK',
    Object.assign(new TypeError('x'), { $metadata: { attempts: 1 } }),
  ],
  ['an invalid argument', Object.assign(new TypeError('x'), { code: 'ERR_INVALID_ARG_TYPE' })],
  ['an error without a code', new Error('not in the store')],
];

const rejected = (name: string, message: string, httpStatusCode = 403) =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode } });

const keyErrors: [Error, RegExp][] = [
  [rejected('ExpiredToken', 'The security token included in the request is expired'), /save a new key/i],
  [rejected('ExpiredTokenException', 'expired', 400), /save a new key/i],
  [rejected('RequestExpired', 'Request has expired.', 400), /correct the clock/i],
  [rejected('RequestTimeTooSkewed', 'The difference between the request time …'), /clock .* wrong/i],
  [
    rejected('SignatureDoesNotMatch', 'Signature expired: 20300101T000000Z is now earlier …'),
    /clock .* wrong/i,
  ],
  [rejected('InvalidSignatureException', 'Signature not yet current: …', 400), /clock .* wrong/i],
  [rejected('SignatureDoesNotMatch', 'The request signature we calculated …'), /secret does not belong/i],
  [rejected('InvalidClientTokenId', 'The security token … is invalid.'), /save a valid key/i],
  [rejected('UnrecognizedClientException', 'invalid', 400), /save a valid key/i],
  [rejected('AuthFailure', 'not able to validate', 401), /save a valid key/i],
];

describe('AWS', () => {
  it.each(keyErrors)(
    '%s does not answer a change: it waits for a valid key, and says what to do',
    async (error, advice) => {
      await expect(toAnswer(fail(error))).rejects.toThrow(advice);
      await expect(toAnswer(fail(error))).rejects.toBeInstanceOf(CredentialRejected);
      await expect(readAws(fail(error))).rejects.toBeInstanceOf(CredentialRejected);
    },
  );

  it.each(outages)('%s is unreachable', async (_name, error) => {
    await expect(callAws(fail(error))).rejects.toBeInstanceOf(Unreachable);
    await expect(readAws(fail(error))).rejects.toBeInstanceOf(Unreachable);
    await expect(toAnswer(fail(error))).rejects.toBeInstanceOf(Unreachable);
  });

  it.each(bugs)('%s is neither unreachable nor a refusal by AWS', async (_name, error) => {
    await expect(callAws(fail(error))).rejects.toBe(error);
    await expect(readAws(fail(error))).rejects.toBe(error);
    await expect(toAnswer(fail(error))).rejects.toBe(error);
  });

  it('a missing permission hides the stack, and refuses a change', async () => {
    const denied = named('AccessDenied', { $metadata: { httpStatusCode: 403 } });
    await expect(readAws(fail(denied))).rejects.toBeInstanceOf(Unreachable);
    expect(await toAnswer(fail(denied))).toMatchObject({ accepted: false });
    expect(await toAnswer(async () => accepted)).toEqual(accepted);
  });

  it('a server that nothing listens on is unreachable through the real SDK', async () => {
    const vendor = awsVendor({
      clock: new VirtualClock(),
      baseUrl: () => 'https://almanac.test',
      pollSeconds: 5,
      countCall: () => {},
    });
    const access = {
      accountId: 'a',
      credentialId: 'AKIA',
      secret: new Secret('s'),
      role: null,
      authUrl: null,
    };
    const stack = { id: 'one', accountId: 'a', region: 'ap-northeast-1' };
    await expect(vendor.connect(access).observe(stack)).rejects.toThrow(/ECONNREFUSED/);
    await expect(vendor.connect(access).observe(stack)).rejects.toBeInstanceOf(Unreachable);
  });
});
