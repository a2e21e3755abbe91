import { describe, expect, it } from 'vitest';
import { randomText } from '../../src/basics/random.ts';
import { Secret } from '../../src/basics/secret.ts';
import { findPasswordWeakness, refuseWeakPassword } from '../../src/operations/access/password-rules.ts';

const owner = { accountId: '5f2b9c01d7e4a', username: 'margarethe', email: 'm.holt@example.com' };
const weaknessOf = (password: string) => findPasswordWeakness(new Secret(password), owner);

describe('passwords that are easy to guess', () => {
  it.each([
    ['password', 'it is a common password'],
    ['Password123!', 'it is a common password'],
    ['P@ssw0rd!', 'it is a common password'],
    ['letmein123', 'it is a common password'],
    ['Jennifer1990', 'it is a common password'],
    ['zxcvbnm,./', 'keys'],
    ['aaaaaaaaaaaa', 'it repeats'],
    ['hush-hush-1', 'it repeats'],
    ['abcdefghijkl', 'it is a sequence'],
    ['almanac2024', 'a word that belongs to this service'],
    ['margarethe1', 'it contains the user name'],
    ['5f2b9c01d7e4a', 'a word that belongs to this service'],
    ['Xk9#mQ2p', 'it is too short, or made of few common words'],
  ])('"%s" is refused and the message says why', async (password, reason) => {
    expect(await weaknessOf(password)).toContain(reason);
    await expect(refuseWeakPassword(new Secret(password), owner)).rejects.toMatchObject({
      kind: 'invalid_request',
      message: expect.stringContaining(reason),
      description: expect.stringContaining('several uncommon words'),
    });
  });
});

it.each(['correct horse battery staple', 'walnut copper 71 ferry', 'pässwörd 語 für Ann', 'Tr0ub4dour&3x'])(
  '"%s" is accepted',
  async (password) => {
    expect(await weaknessOf(password)).toBeNull();
  },
);

it('generated passwords are accepted', async () => {
  for (let count = 0; count < 50; count += 1) expect(await weaknessOf(randomText(20))).toBeNull();
});

it('a refusal does not contain the password', async () => {
  const error = await refuseWeakPassword(new Secret('margarethe-77'), owner).catch(
    (thrown: unknown) => thrown,
  );
  expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain('margarethe-77');
});

it('judging the longest passwords takes bounded time, whatever their characters', async () => {
  await weaknessOf('load the lists');
  const shapes = ['aA1!', 'p4ssw0rd', '@4s$w0rd1!', '({[<4a@8b', '01012020', '4@8({[</\\69!1|7+5$0'];
  const before = process.cpuUsage();
  for (const shape of shapes) await weaknessOf(shape.repeat(1024).slice(0, 1024));
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(shapes.length * 500);
});
