import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/basics/secret.ts';
import { makeClients } from '../../../../src/vendors/aws/clients.ts';
import { calls } from '../../../../src/vendors/aws/permissions/calls.ts';

const folder = join(import.meta.dirname, '..', '..', '..', '..', 'src', 'vendors', 'aws');
const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith('permissions'))
  .map((name) => readFileSync(join(folder, name), 'utf8'))
  .join('\n');

/** Members of `Clients` by service. */
const clientNames: Readonly<Record<string, string>> = {
  acm: 'acm',
  autoscaling: 'autoScaling',
  cloudformation: 'cloudFormation',
  ec2: 'ec2',
  elasticache: 'elastiCache',
  elasticloadbalancing: 'loadBalancing',
  rds: 'rds',
  s3: 's3',
  secretsmanager: 'secretsManager',
  sqs: 'sqs',
  ssm: 'ssm',
  sts: 'sts',
};

describe('the table of AWS calls (src/vendors/aws/permissions/calls.ts)', () => {
  it('has a row for every call in the source, and no row without a call', () => {
    for (const [service, methods] of Object.entries(calls)) {
      const client = clientNames[service];
      expect(client, `add ${service} to clientNames of this test`).toBeDefined();
      const called = [...source.matchAll(new RegExp(`\\b${client}\\.([a-z]\\w+)\\(`, 'g'))].map(
        ([, method = '']) => method,
      );
      const unlisted = called.filter((method) => !(method in methods));
      expect(unlisted, `calls of ${service} without a row: add one to calls.ts`).toEqual([]);
      const unused = Object.keys(methods).filter((method) => !called.includes(method));
      expect(unused, `rows of ${service} that nothing calls: remove them from calls.ts`).toEqual([]);
    }
  });

  it('refuses a call without a row before anything is sent, and says where to add it', async () => {
    const access = { accountId: 'a', credentialId: 'k', secret: new Secret('s'), role: null, authUrl: null };
    const counted: string[] = [];
    const clients = makeClients(access, 'eu-west-1', (_, operation) => counted.push(operation));
    // The types also forbid it.
    const s3 = (await clients.s3()) as unknown as { listBuckets(input: object): Promise<unknown> };
    await expect(s3.listBuckets({})).rejects.toThrow(
      'The table of AWS calls has no row for s3 listBuckets. Add one in src/vendors/aws/permissions/calls.ts',
    );
    expect(counted).toEqual([]);
  });
});
