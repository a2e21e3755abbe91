import { expect, it } from 'vitest';
import { Secret } from '../../../src/basics/secret.ts';
import { resetMasterPassword } from '../../../src/operations/accounts/reset-password.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';
import { Tenant } from './tenant.ts';

const almanac = useServedAlmanac();

it('the operator sets another password of a master who lost it, which ends the sign-ins of the master, and the audit log shows it', async () => {
  const tenant = await Tenant.create(almanac, 'Lost password');
  const { service } = almanac;
  const signIn = (password: string) =>
    almanac.call('POST', '/v3/access_token', { json: { ...tenant.login, password, grant_type: 'password' } });
  const before = String((await signIn(tenant.login.password)).body.access_token);
  await expect(resetMasterPassword(service, tenant.id, new Secret('password'))).rejects.toThrow();

  const { accountId, password } = await resetMasterPassword(service, 'Lost password', null);

  expect(accountId).toBe(tenant.id);
  expect((await signIn(tenant.login.password)).status).toBe(400);
  expect((await almanac.call('GET', '/v3/alm/stack', { token: before })).status).toBe(401);
  const token = String((await signIn(password.reveal())).body.access_token);
  const { body } = await almanac.call<Json[]>('GET', '/v3/audit', { token });
  expect(JSON.stringify(body)).toContain('set another password of the master');
  expect(JSON.stringify(body)).not.toContain(password.reveal());
});
