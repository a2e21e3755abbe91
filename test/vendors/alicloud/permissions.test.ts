import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { policyDocument } from '../../../src/almanac/policies/alicloud-policy.ts';
import { permissionsPage } from '../../../src/vendors/alicloud/permissions/docs-page.ts';
import { keyPolicy, listedRights, rolePolicy } from '../../../src/vendors/alicloud/permissions/policy.ts';

const root = join(import.meta.dirname, '..', '..', '..');

describe('the policies of keys and roles on Alibaba Cloud', () => {
  it('docs/vendors/alicloud-permissions.md is what the tables say (npm run docs)', () => {
    expect(readFileSync(join(root, 'docs/vendors/alicloud-permissions.md'), 'utf8')).toBe(permissionsPage());
  });

  it('fit into a custom policy of RAM, 6,144 characters', () => {
    for (const policy of [keyPolicy('almanac-ros'), rolePolicy()])
      expect(JSON.stringify(policy).length).toBeLessThan(6144);
  });

  it('the policy of the key allows every call of the table, secrets of Almanac only, and its own role only', () => {
    const { Statement } = keyPolicy('almanac-ros');
    const allowed = new Map(
      Statement.flatMap(({ Action, Resource }) => Action.map((action) => [action, Resource])),
    );
    expect(listedRights().filter(({ action }) => !allowed.has(action))).toEqual([]);
    expect(allowed.get('oos:CreateSecretParameter')).toEqual(['acs:oos:*:*:secretparameter/almanac/*']);
    expect(allowed.get('ram:PassRole')).toEqual(['acs:ram::*:role/almanac-ros']);
    expect(JSON.stringify(keyPolicy(null))).not.toContain('PassRole');
  });

  it('almanac alicloud-policy prints each of them, and rejects other words', () => {
    expect(policyDocument(['key', '--role', 'almanac-ros'])).toEqual(keyPolicy('almanac-ros'));
    expect(policyDocument(['role'])).toEqual(rolePolicy());
    expect(policyDocument(['trust'])).toMatchObject({ Version: '1' });
    expect(() => policyDocument(['user'])).toThrow('Usage');
    expect(() => policyDocument(['key', 'role'])).toThrow('Usage');
  });
});
