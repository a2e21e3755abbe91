import { readdirSync, readFileSync } from 'node:fs';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type StackModel, stackModel } from '../../../src/model/stack-model.ts';
import { compile as compileForSandbox } from '../../../src/vendors/sandbox/compile.ts';
import type { Vendor } from '../../../src/vendors/vendor.ts';
import { compileForAlicloud } from './alicloud.ts';
import { compileForAws } from './aws.ts';
import { compileForDocker } from './docker.ts';
import { compileForOpenStack } from './openstack.ts';

/** One model, and each vendor's document for it. Rewrite with `vitest -u`, and read the diff. */
const compilers: Record<string, Vendor['compile']> = {
  sandbox: compileForSandbox,
  aws: compileForAws,
  alicloud: compileForAlicloud,
  docker: compileForDocker,
  openstack: compileForOpenStack('openstack'),
  k5: compileForOpenStack('k5'),
};

/** What no OpenStack has, or takes from elsewhere. */
const notInOpenStack = [
  // Agents read what runs on their servers from Almanac: a deployment does not change the template.
  /^layers\/\*\/container\/(image|registry|codeDirectory|git|environment|users|addons)/,
  /^layers\/\*\/container\/storage\/(id|mountPath)$/,
  // It selects the server whose address is the stack's. Here the load balancer has it.
  /^layers\/\*\/role$/,
  // The rule is for all protocols, which have no ports in common.
  /^layers\/\*\/securityGroup\/egress\/\*\/(from|to)Port$/,
  // Lists are rejected unless they have no effect, whatever their order.
  /^layers\/\*\/networkAcl\/\*\/(number|egress)$/,
];

/** Members of the model that a vendor's document does not depend on, on purpose. */
const ignored: Record<string, readonly RegExp[]> = {
  // The simulated cloud has no tags.
  sandbox: [/^tags\//],
  aws: [
    // Agents read what runs on their servers from Almanac: a deployment does not change the template.
    /^layers\/\*\/container\/(image|registry|codeDirectory|git|environment|users|addons)/,
    /^layers\/\*\/container\/storage\/(id|mountPath)$/,
    // It selects the server whose address is the stack's. Here the load balancer has it.
    /^layers\/\*\/role$/,
    // The rule is for all protocols, which have no ports in common.
    /^layers\/\*\/securityGroup\/egress\/\*\/(from|to)Port$/,
  ],
  alicloud: [
    // Agents read what runs on their servers from Almanac: a deployment does not change the template.
    /^layers\/\*\/container\/(image|registry|codeDirectory|git|environment|users|addons)/,
    /^layers\/\*\/container\/storage\/(id|mountPath)$/,
    // It selects the server whose address is the stack's. Here the load balancer has it.
    /^layers\/\*\/role$/,
    // The rule is for all protocols, which have no ports in common.
    /^layers\/\*\/securityGroup\/egress\/\*\/(from|to)Port$/,
    // It sorts the rules of a direction, and each has one here.
    /^layers\/\*\/networkAcl\/\*\/number$/,
    // All kinds become the same one.
    /^layers\/\*\/loadBalancer\/kind$/,
  ],
  docker: [
    // An engine has labels, which cannot change while a container runs.
    /^tags\//,
    // One network without subnets or rules. The engine assigns the addresses.
    /^networkCidr$/,
    /^layers\/\*\/(subnet|networkAcl|securityGroup)\//,
    /^layers\/\*\/(capacity|loadBalancer)\/(subnetsOf|securityGroupsOf|zones)/,
    // The images are Almanac's own, on the machine's disk.
    /^layers\/\*\/(machineImage|volume\/.*)$/,
    /^databases\/\*\/(engineVersion|multiZone)$/,
    // A new instance has ten minutes to become ready. An engine does not count requests; this model scales by them.
    /^layers\/\*\/capacity\/(healthCheckGraceSeconds|scaling\/target)$/,
    /^layers\/\*\/loadBalancer\/(kind|scheme|listeners\/\*\/certificateDomain)$/,
    // Agents read what runs on their servers from Almanac: a deployment does not change the document.
    /^layers\/\*\/container\/(image|registry|code|git|environment|users|addons)/,
    // In this model it is on a layer without servers.
    /^layers\/\*\/container\/storage\/id$/,
    /^layers\/\*\/role$/,
  ],
  openstack: [
    ...notInOpenStack,
    // A batch of new servers waits for their agents.
    /^layers\/\*\/capacity\/healthCheckGraceSeconds$/,
    // Encrypted listeners, as here, are the same for every kind.
    /^layers\/\*\/loadBalancer\/kind$/,
    // In this model the layer with a zone is a group, which names its own.
    /^layers\/\*\/zone$/,
  ],
  k5: [
    ...notInOpenStack,
    // All servers are in the zone of the first layer that names one.
    /^layers\/\*\/capacity\/zones/,
    // Encrypted listeners are rejected.
    /^layers\/\*\/loadBalancer\/listeners\/\*\/certificateDomain$/,
  ],
};

const here = new URL('.', import.meta.url);
const cases = readdirSync(here)
  .filter((file) => file.endsWith('.model.json'))
  .map((file) => file.replace('.model.json', ''));
const stackId = 'mo-5447826c870e7-golden000-tk';

const readModel = (name: string): StackModel =>
  Value.Parse(stackModel, JSON.parse(readFileSync(new URL(`${name}.model.json`, here), 'utf8')));

describe.each(Object.entries(compilers))('the %s vendor', (vendor, compile) => {
  it.each(cases)('compiles model %s to its golden document', async (name) => {
    const outcome = compile(readModel(name), stackId);
    const text = stringify(outcome.ok ? outcome.value : outcome.problems, { aliasDuplicateObjects: false });
    await expect(text).toMatchFileSnapshot(`${name}.${vendor}.yaml`);
  });

  it('has a document that depends on every member of the model, except those it ignores on purpose', () => {
    const model = readModel('everything');
    const original = JSON.stringify(compile(model, stackId));
    const effective = new Map<string, boolean>();
    for (const path of leavesOf(model)) {
      const member = path.map((part) => (Number.isInteger(part) ? '*' : part)).join('/');
      const changed = JSON.stringify(compile(changedAt(model, path), stackId)) !== original;
      effective.set(member, changed || effective.get(member) === true);
    }
    const isIgnored = (member: string) => ignored[vendor]?.some((pattern) => pattern.test(member)) === true;
    // Also fails when an ignored member has an effect.
    const members = [...effective.keys()];
    const read = members.filter((member) => effective.get(member));
    expect(read).toEqual(members.filter((member) => !isIgnored(member)));
    expect(effective.size).toBeGreaterThan(60);
  });
});

type Path = (string | number)[];

/** The paths of all values. Excludes the kind of a capacity, which decides the other members. */
function leavesOf(value: unknown, path: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, [...path, index]));
  if (value !== null && typeof value === 'object')
    return Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...path, key]));
  const decidesShape = path.at(-2) === 'capacity' && path.at(-1) === 'kind';
  return value === null || decidesShape ? [] : [path];
}

const otherValue: Record<string, string> = {
  mysql: 'postgresql',
  postgresql: 'mysql',
  redis: 'memcached',
  memcached: 'redis',
  git: 'object_store',
  application: 'network',
  http: 'https',
  requests: 'cpu',
};

function another(value: unknown): unknown {
  if (typeof value === 'number') return value * 2 || 1;
  if (typeof value === 'boolean') return !value;
  return typeof value === 'string' ? (otherValue[value] ?? `${value}9`) : value;
}

function changedAt(model: StackModel, path: Path): StackModel {
  const copy: Record<string | number, unknown> = structuredClone(model);
  let holder = copy;
  for (const part of path.slice(0, -1)) holder = holder[part] as Record<string | number, unknown>;
  const last = path.at(-1) ?? '';
  holder[last] = another(holder[last]);
  return copy as unknown as StackModel;
}
