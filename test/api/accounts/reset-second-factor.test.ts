import { expect, it } from 'vitest';
import { resetMasterFactor } from '../../../src/operations/accounts/reset-second-factor.ts';
import { codeAt, stepOf } from '../../../src/operations/sign-in/totp.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';
import { Tenant } from './tenant.ts';

const almanac = useServedAlmanac();

it('the operator resets the second factor of a master who lost it; the password remains required, and the audit log shows it', async () => {
  const tenant = await Tenant.create(almanac, 'Lost phone');
  const { service } = almanac;
  await expect(resetMasterFactor(service, tenant.id)).rejects.toThrow('has no second factor');
  const begun = await tenant.call('POST', '/v3/second_factor', {
    json: { current_password: tenant.login.password },
  });
  const otp = codeAt(String(begun.body.secret), stepOf(service.clock.now()));
  expect((await tenant.call('POST', '/v3/second_factor/confirm', { json: { otp } })).status).toBe(200);
  const signIn = (password: string) =>
    almanac.call('POST', '/v3/access_token', {
      json: { ...tenant.login, password, grant_type: 'password' },
    });
  expect((await signIn(tenant.login.password)).body.error).toBe('mfa_required');

  expect(await resetMasterFactor(service, 'Lost phone')).toMatchObject({ accountId: tenant.id });

  expect((await signIn(tenant.login.password)).status).toBe(200);
  expect((await signIn('another password')).status).toBe(400);
  const entries = (await tenant.call<Json[]>('GET', '/v3/audit')).body;
  expect(JSON.stringify(entries)).toContain('removed the second factor of the master');
});
