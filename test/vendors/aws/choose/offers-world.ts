import type { Cache, Database, StackModel } from '../../../../src/model/stack-model.ts';
import { chooseFor } from '../../../../src/vendors/aws/choose.ts';
import { compile } from '../../../../src/vendors/aws/compile.ts';
import type { AwsDocument } from '../../../../src/vendors/aws/document.ts';
import { sampleModel } from '../../sample-model.ts';
import { type CannedWorld, cannedRegion, cannedWorld } from '../canned-clients.ts';

/** The answers of AWS are stubs in the shapes that AWS documents: no simulator has them. */

const region = 'ap-northeast-1';
const zones = ['a', 'c'].map((letter) => `${region}${letter}`);
const image = '/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64';

export const offers = (parts: Partial<CannedWorld> = {}): CannedWorld =>
  cannedWorld({
    zones,
    types: { 't3.micro': { runs: ['x86_64'], zones } },
    parameters: { [image]: 'ami-00000000000000001' },
    images: [{ ImageId: 'ami-00000000000000001', Architecture: 'x86_64', RootDeviceName: '/dev/xvda' }],
    versions: {
      mysql: ['8.0.36', '8.0.40', '8.4.3', '8.4.10', '8.4.9'],
      postgres: ['16.9', '16.14', '17.10', '17.9'],
      redis: ['6.2', '7.0', '7.1'],
      memcached: ['1.5.16', '1.6.6', '1.6.22', '1.6.12'],
    },
    classes: {
      'db.m6g.large': { multi: true },
      'db.t3.micro': { multi: true },
      'db.t4g.micro': { multi: false },
      'db.t4g.small': { multi: true },
    },
    nodeTypes: ['cache.m7g.large', 'cache.t4g.micro', 'cache.t4g.micro', 'cache.t4g.small'],
    ...parts,
  });

export const database = (changes: Partial<Database> = {}): Database => ({
  name: 'main',
  engine: 'mysql',
  engineVersion: null,
  instanceType: null,
  storageGib: 20,
  replicas: 0,
  multiZone: false,
  ...changes,
});
export const cache = (changes: Partial<Cache> = {}): Cache => ({
  name: 'main',
  engine: 'redis',
  nodeType: 'cache.t4g.micro',
  nodes: 1,
  ...changes,
});
export const withDatabase = (changes: Partial<Database> = {}): StackModel =>
  sampleModel({ databases: [database(changes)] });
export const withCache = (changes: Partial<Cache> = {}): StackModel =>
  sampleModel({ caches: [cache(changes)] });

export async function submit(
  world: CannedWorld,
  model: StackModel,
  before: AwsDocument | null = null,
): Promise<AwsDocument> {
  const chosen = await chooseFor(cannedRegion(world, model.region), model, before);
  if (!chosen.ok)
    throw new Error(chosen.problems.map(({ path, message }) => `${path}: ${message}`).join('\n'));
  const outcome = compile({ model, stackId: 'mo-1', choices: chosen.value, baseUrl: '' });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
}
