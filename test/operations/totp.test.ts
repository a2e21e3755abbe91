import { expect, it } from 'vitest';
import { codeAt, matchingStep, newTotpSecret, stepOf, totpUri } from '../../src/operations/sign-in/totp.ts';

/** The ASCII text 12345678901234567890 of the test vectors, in base 32. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

it.each([
  [0, '755224'],
  [1, '287082'],
  [2, '359152'],
  [3, '969429'],
  [9, '520489'],
])('the code of counter %i is that of RFC 4226', (counter, code) => {
  expect(codeAt(secret, counter)).toBe(code);
});

it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at %i seconds is the end of that of RFC 6238', (seconds, code) => {
  expect(codeAt(secret, stepOf(seconds * 1000))).toBe(code);
});

it('a code is valid in its step, the one before and the one after, and no other', () => {
  const step = stepOf(1_234_567_890_000);
  const matchesAt = (steps: number) => matchingStep(secret, '005924', (step + steps) * 30_000);
  expect([-2, -1, 0, 1, 2].map(matchesAt)).toEqual([null, step, step, step, null]);
});

it.each(['', '00592', '0059240', '00592a', ' 005924'])('"%s" is not a code', (code) => {
  expect(matchingStep(secret, code, 1_234_567_890_000)).toBeNull();
});

it('a new secret has 160 bits, and its URI has what apps read', () => {
  const fresh = newTotpSecret();
  expect(fresh).toMatch(/^[A-Z2-7]{32}$/);
  expect(newTotpSecret()).not.toBe(fresh);
  expect(totpUri(fresh, { issuer: 'Almanac', name: 'a@b' })).toBe(
    `otpauth://totp/Almanac:a%40b?secret=${fresh}&issuer=Almanac&algorithm=SHA1&digits=6&period=30`,
  );
});
