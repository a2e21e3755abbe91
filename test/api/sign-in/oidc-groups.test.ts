import { describe, expect, it, vi } from 'vitest';
import { Failure } from '../../../src/basics/failure.ts';
import { useSingleSignOn } from '../../openid/sso.ts';
import { AccessCaller, scopeAllowing } from '../access/access-caller.ts';
import type { Json } from '../served-almanac.ts';

describe('with a mapping of groups', () => {
  const sso = useSingleSignOn({ ALM_OIDC_ROLES: 'all=admin' });
  const master = () => new AccessCaller(sso.almanac);
  const usernames = async () =>
    (await master().call<Json[]>('GET', '/v3/user')).body.map(({ username }) => username);

  it('a user who leaves the last mapped group loses its roles and tokens, and cannot sign in', async () => {
    const ann = { sub: 'person-1', preferred_username: 'ann' };
    const { token } = await sso.signIn({ ...ann, groups: ['all'] });
    await master().call('PUT', '/v3/user/ann/password', { json: { password: 'a long enough password' } });
    const again = await sso.signIn({ ...ann, groups: ['all'] });
    const personal = await sso.almanac.call('POST', '/v3/personal_token', {
      token: again.token,
      json: { name: 'mine', current_password: 'a long enough password', scope: scopeAllowing('*') },
    });
    expect(personal.status, personal.text).toBe(200);
    const { end } = await sso.visit({ ...ann, groups: ['others'] });
    expect(end.searchParams.get('error')).toBe('access_denied');
    expect(end.searchParams.get('error_description')).toContain('None of your groups maps to a role');
    expect((await master().call('GET', '/v3/user/ann/role')).body).toEqual([]);
    for (const each of [token, again.token, personal.body.token])
      expect((await sso.almanac.call('GET', '/v3/alm/stack', { token: String(each) })).status).toBe(401);
    const audit = await master().call('GET', '/v3/audit?actor=ann');
    expect(audit.text).toContain('role Management Role detached; sign-in refused');
    expect((await sso.signIn({ ...ann, groups: ['all'] })).token).not.toBe('');
  });

  it('a role that the master attached by hand is enough', async () => {
    const ben = { sub: 'person-2', preferred_username: 'ben' };
    await sso.signIn({ ...ben, groups: ['all'] });
    const role_id = await master().makeRole('extra');
    await master().call('POST', '/v3/user/role', { json: { username: 'ben', role_id } });
    expect((await sso.signIn(ben)).token).not.toBe('');
  });

  it('a new person without a mapped group is refused, and no user is created', async () => {
    const { error } = await sso.signIn({ sub: 'person-3', preferred_username: 'carl', groups: ['others'] });
    expect(error).toContain('None of your groups maps to a role');
    expect(await usernames()).not.toContain('carl');
  });
});

describe('without a mapping of groups', () => {
  const sso = useSingleSignOn();
  const dora = { sub: 'person-4', preferred_username: 'dora', groups: ['any'] };

  it('a new person becomes a user without roles, with the default rights', async () => {
    const { token } = await sso.signIn(dora);
    const master = new AccessCaller(sso.almanac);
    expect((await master.call('GET', '/v3/user/dora/role')).body).toEqual([]);
    expect((await sso.almanac.call('GET', '/v3/alm/stack', { token })).status).toBe(200);
  });

  it('only the first sign-in of a person needs a password hash; a full queue is a temporary error', async () => {
    await sso.signIn(dora);
    const full = vi.spyOn(sso.almanac.service.hashing, 'of').mockReturnValue(() => {
      throw new Failure('too_many_requests', 'Too many sign-ins at the same time');
    });
    try {
      expect((await sso.visit(dora)).end.searchParams.has('code')).toBe(true);
      const { end } = await sso.visit({ sub: 'person-5', preferred_username: 'eve' });
      expect(end.searchParams.get('error')).toBe('temporarily_unavailable');
    } finally {
      full.mockRestore();
    }
  });
});

describe('an ALM_OIDC_ACCOUNT that does not exist', () => {
  const sso = useSingleSignOn({ ALM_OIDC_ACCOUNT: '0123456789abc' });

  it('refuses every sign-in as temporarily unavailable, and names the setting', async () => {
    const { end } = await sso.visit({ sub: 'person-6', preferred_username: 'fay' });
    expect(end.searchParams.get('error')).toBe('temporarily_unavailable');
    expect(end.searchParams.get('error_description')).toContain('ALM_OIDC_ACCOUNT');
  });
});
