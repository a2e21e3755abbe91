import { describe, expect, it } from 'vitest';
import { signAws } from '../../src/agent/cloud/sigv4.ts';

const keys = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
};
const suite = { service: 'service', region: 'us-east-1', now: Date.UTC(2015, 7, 30, 12, 36) };
const unreserved = '-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const signatureIn = (headers: Record<string, string>) =>
  /Signature=([0-9a-f]+)$/.exec(headers.authorization ?? '')?.[1];

describe('AWS Signature Version 4', () => {
  it('returns exactly the headers of the AWS test vector get-vanilla', () => {
    const headers = signAws(keys, { ...suite, method: 'GET', url: 'https://example.amazonaws.com/' });
    expect(headers).toEqual({
      'x-amz-date': '20150830T123600Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ' +
        'SignedHeaders=host;x-amz-date, ' +
        'Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    });
  });

  it.each([
    ['post-vanilla', 'POST', '/', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
    [
      'get-vanilla-query-order-key-case',
      'GET',
      '/?Param2=value2&Param1=value1',
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    ],
    // Sorted by name: `Param` before `Param-3`, although `Param-3=` sorts before `Param=`.
    [
      'get-vanilla-query-order-encoded',
      'GET',
      '/?Param-3=Value3&Param=Value2&%E1%88%B4=Value1',
      '371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac',
    ],
    [
      'get-vanilla-query-unreserved',
      'GET',
      `/?${unreserved}=${unreserved}`,
      '9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197',
    ],
    [
      'get-vanilla-utf8-query',
      'GET',
      '/?ሴ=bar',
      '2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04',
    ],
  ])('matches the AWS test vector %s', (_, method, path, signature) => {
    const headers = signAws(keys, { ...suite, method, url: `https://example.amazonaws.com${path}` });
    expect(signatureIn(headers)).toBe(signature);
  });

  it('matches the S3 documentation example of a range request', () => {
    const headers = signAws(
      { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
      {
        method: 'GET',
        url: 'https://examplebucket.s3.amazonaws.com/test.txt',
        service: 's3',
        region: 'us-east-1',
        headers: { range: 'bytes=0-9' },
        now: Date.UTC(2013, 4, 24),
      },
    );
    expect(signatureIn(headers)).toBe('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41');
  });

  it('signs and sends the session token of temporary keys', () => {
    const temporary = { ...keys, sessionToken: 'the-session' };
    const headers = signAws(temporary, { ...suite, method: 'GET', url: 'https://example.amazonaws.com/' });
    expect(headers['x-amz-security-token']).toBe('the-session');
    expect(headers.authorization).toContain('SignedHeaders=host;x-amz-date;x-amz-security-token');
  });
});
