import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/basics/secret.ts';
import { parseIdentity, signInBody } from '../../../src/vendors/openstack/rest/identity.ts';
import { type Session, timeoutMinutes } from '../../../src/vendors/openstack/session.ts';
import { CredentialRejected, Unreachable } from '../../../src/vendors/vendor.ts';
import { FakeCloud } from './fake-cloud.ts';

const read = { service: 'orchestration', path: '/stacks' } as const;
const create = { service: 'orchestration', method: 'POST', path: '/stacks', body: {} } as const;
const unauthorized = { status: 401, body: { error: { code: 401, message: 'No.', title: 'Unauthorized' } } };

describe('the id of a credential', () => {
  it('names a user and a project in the same domain, or in two', () => {
    expect(parseIdentity('ann@Default/web')).toEqual({
      kind: 'user',
      user: 'ann',
      userDomain: 'Default',
      project: 'web',
      projectDomain: 'Default',
    });
    expect(parseIdentity('ann@mail.example@people/web@projects')).toMatchObject({
      user: 'ann@mail.example',
      userDomain: 'people',
      projectDomain: 'projects',
    });
  });

  it('is the id of an application credential if it has 32 hexadecimal digits', () => {
    expect(parseIdentity('0123456789abcdef0123456789abcdef')).toMatchObject({ kind: 'application' });
  });

  it.each(['', 'ann', 'ann@Default', 'ann/web', '@Default/web', 'ann@Default/'])(
    'is not valid in the form "%s"',
    (id) => {
      expect(parseIdentity(id)).toBeUndefined();
    },
  );

  it('names domains and projects by id or by name', () => {
    const id = '0123456789abcdef0123456789abcdef';
    expect(
      signInBody(
        { kind: 'user', user: 'ann', userDomain: 'default', project: id, projectDomain: 'default' },
        new Secret('word'),
      ),
    ).toEqual({
      auth: {
        identity: {
          methods: ['password'],
          password: { user: { name: 'ann', domain: { id: 'default' }, password: 'word' } },
        },
        scope: { project: { id } },
      },
    });
  });
});

describe('sign-ins', () => {
  it('reads share a token until five minutes before its end', async () => {
    const cloud = new FakeCloud();
    const client = cloud.client();
    await Promise.all([client.read(read), client.read(read)]);
    cloud.clock.advance(54 * 60_000);
    await client.read(read);
    expect(cloud.signIns).toBe(1);
    cloud.clock.advance(60_000);
    await client.read(read);
    expect(cloud.signIns).toBe(2);
  });

  it('a token with a short life is used for half of it', async () => {
    const cloud = new FakeCloud();
    cloud.lifeSeconds = 20;
    const client = cloud.client();
    await client.read(read);
    cloud.clock.advance(9_000);
    await client.read(read);
    expect(cloud.signIns).toBe(1);
    cloud.clock.advance(1_000);
    await client.read(read);
    expect(cloud.signIns).toBe(2);
  });

  it('every change has a token of its own, because the cloud continues the work with it', async () => {
    const cloud = new FakeCloud();
    const client = cloud.client();
    await client.change(create);
    await client.change(create);
    const tokens = cloud.asked.filter(({ path }) => path === '/heat/stacks').map(({ token }) => token);
    expect(tokens).toEqual(['token1', 'token2']);
  });

  it('a token that the cloud does not know is replaced once', async () => {
    const cloud = new FakeCloud();
    cloud.answers = ({ token }) => (token === 'token1' ? unauthorized : { body: { stacks: [] } });
    expect(await cloud.client().read(read)).toEqual({ stacks: [] });
    expect(cloud.signIns).toBe(2);
  });

  it('a second rejection of the token is a rejected credential', async () => {
    const cloud = new FakeCloud();
    cloud.answers = () => unauthorized;
    await expect(cloud.client().read(read)).rejects.toThrow(CredentialRejected);
    expect(cloud.signIns).toBe(2);
  });

  it('a failed sign-in is not kept', async () => {
    const cloud = new FakeCloud();
    const client = cloud.client();
    cloud.signIn = () => ({ status: 503 });
    await expect(client.read(read)).rejects.toThrow(Unreachable);
    cloud.signIn = () => ({});
    await client.read(read);
  });

  it.each([{}, { token: {} }])('the answer %j to a sign-in is an outage', async (body) => {
    const cloud = new FakeCloud();
    cloud.signIn = () => ({ status: 201, body });
    await expect(cloud.client().read(read)).rejects.toThrow(Unreachable);
  });

  it.each([
    [401, /password or secret is wrong/],
    [404, /not at this auth URL, or the application credential was deleted/],
  ])(
    'status %i of a sign-in is a rejected credential with what to do, without the secret',
    async (status, text) => {
      const cloud = new FakeCloud();
      cloud.signIn = () => ({ status, body: { error: { message: 'No.' } } });
      const error = await cloud
        .client()
        .read(read)
        .catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(CredentialRejected);
      expect(String(error)).toMatch(text);
      expect(String(error)).not.toContain('word)');
    },
  );

  it('a region that the cloud does not have is named with those that it has', async () => {
    const cloud = new FakeCloud();
    await expect(cloud.client('Nowhere').read(read)).rejects.toThrow('no region Nowhere; it has RegionOne');
  });
});

describe('the time limit of a stack', () => {
  it.each([
    [20, 1],
    [3600, 55],
    [14_400, 120],
  ])('with a token of %i seconds it is %i minutes', (seconds, minutes) => {
    expect(timeoutMinutes({ lifeMs: seconds * 1000 } as Session)).toBe(minutes);
  });
});
