import { readdirSync, readFileSync } from 'node:fs';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type StackModel, stackModel } from '../../../src/model/stack-model.ts';
import { compile as compileForSandbox } from '../../../src/vendors/sandbox/compile.ts';
import type { Vendor } from '../../../src/vendors/vendor.ts';
import { compileForAws } from './aws.ts';
import { compileForDocker } from './docker.ts';

/** One model, and side by side what each vendor makes of it. Rewrite with `vitest -u`, and read the difference. */
const compilers: Record<string, Vendor['compile']> = {
  sandbox: compileForSandbox,
  aws: compileForAws,
  docker: compileForDocker,
};

/** Members a vendor's document rightly leaves out. */
const leftOut: Record<string, readonly RegExp[]> = {
  sandbox: [],
  aws: [
    // Agents ask Almanac for what runs on their servers: a deployment changes no template.
    /^layers\/\*\/container\/(image|registry|codeDirectory|git|ports|environment|users|addons)/,
    /^layers\/\*\/container\/storage\/(id|mountPath)$/,
    // It says which server's address is the stack's, but here that is the load balancer's.
    /^layers\/\*\/role$/,
    // The rule is about all protocols, and those have no ports in common.
    /^layers\/\*\/securityGroup\/egress\/\*\/(from|to)Port$/,
  ],
  docker: [
    // One network without borders: the engine gives the addresses, and nothing is kept apart in it.
    /^networkCidr$/,
    /^layers\/\*\/(subnet|networkAcl|securityGroup)\//,
    /^layers\/\*\/(capacity|loadBalancer)\/(subnetsOf|securityGroupsOf|zones)/,
    // The images are Almanac's own, on the disk of the machine.
    /^layers\/\*\/(machineImage|volume\/.*)$/,
    /^databases\/\*\/(engineVersion|multiZone)$/,
    // A group has as many members as its least number.
    /^layers\/\*\/capacity\/(max|cooldownSeconds|healthCheckGraceSeconds)$/,
    /^layers\/\*\/loadBalancer\/(kind|scheme|listeners\/\*\/certificateDomain)$/,
    // Agents ask Almanac for what runs on their servers: a deployment changes no document.
    /^layers\/\*\/container\/(image|registry|code|git|ports|environment|users|addons)/,
    // Here it stands on a layer without servers of its own.
    /^layers\/\*\/container\/storage\/id$/,
    /^layers\/\*\/role$/,
  ],
};

const here = new URL('.', import.meta.url);
const cases = readdirSync(here)
  .filter((file) => file.endsWith('.model.json'))
  .map((file) => file.replace('.model.json', ''));
const stackId = 'mo-5447826c870e7-golden000-tk';

const readModel = (name: string): StackModel =>
  Value.Parse(stackModel, JSON.parse(readFileSync(new URL(`${name}.model.json`, here), 'utf8')));

describe.each(Object.entries(compilers))('%s', (vendor, compile) => {
  it.each(cases)('compiles %s as written down', async (name) => {
    const outcome = compile(readModel(name), stackId);
    const text = stringify(outcome.ok ? outcome.value : outcome.problems, { aliasDuplicateObjects: false });
    await expect(text).toMatchFileSnapshot(`${name}.${vendor}.yaml`);
  });

  it('reads every member of the model: changing it changes the document', () => {
    const model = readModel('everything');
    const whole = JSON.stringify(compile(model, stackId));
    const effective = new Map<string, boolean>();
    for (const path of leavesOf(model)) {
      const member = path.map((part) => (Number.isInteger(part) ? '*' : part)).join('/');
      const changed = JSON.stringify(compile(changedAt(model, path), stackId)) !== whole;
      effective.set(member, changed || effective.get(member) === true);
    }
    const isLeftOut = (member: string) => leftOut[vendor]?.some((pattern) => pattern.test(member)) === true;
    // Also the other way round: what is left out must not creep in.
    const members = [...effective.keys()];
    const read = members.filter((member) => effective.get(member));
    expect(read).toEqual(members.filter((member) => !isLeftOut(member)));
    expect(effective.size).toBeGreaterThan(60);
  });
});

type Path = (string | number)[];

/** Where the values are. Which kind of capacity a layer has is not one: it decides which values there are. */
function leavesOf(value: unknown, path: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, [...path, index]));
  if (value !== null && typeof value === 'object')
    return Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...path, key]));
  const decidesShape = path.at(-2) === 'capacity' && path.at(-1) === 'kind';
  return value === null || decidesShape ? [] : [path];
}

const otherWord: Record<string, string> = {
  mysql: 'postgresql',
  postgresql: 'mysql',
  redis: 'memcached',
  memcached: 'redis',
  git: 'object_store',
  application: 'network',
  http: 'https',
};

function another(value: unknown): unknown {
  if (typeof value === 'number') return value * 2 || 1;
  if (typeof value === 'boolean') return !value;
  return typeof value === 'string' ? (otherWord[value] ?? `${value}9`) : value;
}

function changedAt(model: StackModel, path: Path): StackModel {
  const copy: Record<string | number, unknown> = structuredClone(model);
  let holder = copy;
  for (const part of path.slice(0, -1)) holder = holder[part] as Record<string | number, unknown>;
  const last = path.at(-1) ?? '';
  holder[last] = another(holder[last]);
  return copy as unknown as StackModel;
}
