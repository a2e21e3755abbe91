import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listedRights } from '../../../../src/vendors/aws/permissions/calls.ts';
import { permissionsPage } from '../../../../src/vendors/aws/permissions/docs-page.ts';
import { optionalFeatures } from '../../../../src/vendors/aws/permissions/features.ts';
import { keyPolicy } from '../../../../src/vendors/aws/permissions/key-policy.ts';
import type { Policy } from '../../../../src/vendors/aws/permissions/policy.ts';
import { resourceTypes } from '../../../../src/vendors/aws/permissions/resource-types.ts';
import { rolePolicy, trustPolicy } from '../../../../src/vendors/aws/permissions/role-policy.ts';
import { defaultRoleArn, partitions } from '../../../../src/vendors/aws/permissions/scopes.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');

const key = (changes: Partial<Parameters<typeof keyPolicy>[0]> = {}): Policy =>
  keyPolicy({ partition: 'aws', roleArn: defaultRoleArn('aws'), features: optionalFeatures, ...changes });

const actionsIn = ({ Statement }: Policy): string[] => Statement.flatMap(({ Action }) => Action).toSorted();

const isAllowed = (policy: Policy, action: string): boolean =>
  actionsIn(policy).some(
    (allowed) => allowed === action || (allowed.endsWith('*') && action.startsWith(allowed.slice(0, -1))),
  );

describe('the policies of AWS keys and roles', () => {
  it('docs/vendors/aws-permissions.md is what the tables say (npm run docs)', () => {
    expect(readFileSync(join(root, 'docs/vendors/aws-permissions.md'), 'utf8')).toBe(permissionsPage());
  });

  it.each(partitions)('fit into a managed policy of AWS, 6,144 characters, in partition %s', (partition) => {
    const input = { partition, features: optionalFeatures };
    for (const policy of [key({ ...input, roleArn: defaultRoleArn(partition) }), rolePolicy(input)])
      expect(JSON.stringify(policy).length).toBeLessThan(6144);
  });

  it('the full policy of the key allows every call of the table', () => {
    const missing = listedRights().filter(({ action }) => !isAllowed(key(), action));
    expect(missing).toEqual([]);
  });

  it('the minimal policy of the key allows the life cycle of stacks, and only reads that describe', () => {
    const minimal = key({ features: [] });
    for (const { action, feature } of listedRights())
      if (feature === 'stacks') expect(isAllowed(minimal, action), action).toBe(true);
    expect(actionsIn(minimal).filter((action) => /drift|changeset|s3:|rds:|secrets/i.test(action))).toEqual(
      [],
    );
  });

  it.each(optionalFeatures)(
    'feature %s adds permissions to the minimal policy, all of them in the full one',
    (feature) => {
      const minimal = actionsIn(key({ features: [] }));
      const added = actionsIn(key({ features: [feature] })).filter((action) => !minimal.includes(action));
      // Private keys add only a resource to an action.
      expect(added.length > 0 || feature === 'private-keys').toBe(true);
      for (const action of added) expect(isAllowed(key(), action), action).toBe(true);
    },
  );

  it('a drift check may read every resource type of templates, and databases only with that feature', () => {
    for (const { reads } of Object.values(resourceTypes))
      for (const action of reads) expect(isAllowed(key(), action), action).toBe(true);
    const withoutDatabases = key({ features: ['drift'] });
    expect(isAllowed(withoutDatabases, 'ec2:DescribeVpcs')).toBe(true);
    expect(isAllowed(withoutDatabases, 'rds:DescribeDBInstances')).toBe(false);
  });

  it('without a role the key may pass none', () => {
    expect(isAllowed(key({ roleArn: null }), 'iam:PassRole')).toBe(false);
    expect(isAllowed(key(), 'iam:PassRole')).toBe(true);
  });

  it('the minimal policy of the role has no databases, caches and secrets', () => {
    const services = (policy: Policy) => [
      ...new Set(actionsIn(policy).map((action) => action.split(':')[0])),
    ];
    const full = services(rolePolicy({ partition: 'aws', features: optionalFeatures }));
    const minimal = services(rolePolicy({ partition: 'aws', features: [] }));
    expect(full.filter((service) => !minimal.includes(service))).toEqual([
      'elasticache',
      'rds',
      'secretsmanager',
    ]);
  });

  it.each(partitions)(
    'all ARNs are in partition %s, and conditions on services accept the names AWS uses there',
    (partition) => {
      const input = { partition, features: optionalFeatures };
      const documents = [keyPolicy({ ...input, roleArn: defaultRoleArn(partition) }), rolePolicy(input)];
      const text = JSON.stringify(documents);
      for (const [, found] of text.matchAll(/arn:([a-z-]+):/g)) expect(found).toBe(partition);
      expect(text.includes('ec2.amazonaws.com.cn')).toBe(partition === 'aws-cn');
      expect(text).toContain('"ec2.amazonaws.com"');
      expect(trustPolicy().Statement[0]?.Principal).toEqual({ Service: 'cloudformation.amazonaws.com' });
    },
  );

  it('every row of a resource type is used by a template', () => {
    const folder = join(root, 'src/vendors/aws/compile');
    const source = readdirSync(folder)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
    expect(Object.keys(resourceTypes).filter((type) => !source.includes(`'${type}'`))).toEqual([]);
  });
});
