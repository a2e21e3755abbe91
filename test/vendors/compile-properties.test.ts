import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { compileTemplate } from '../../src/languages/v3-template/compile.ts';
import type { StackModel } from '../../src/model/stack-model.ts';
import { compile as compileForSandbox } from '../../src/vendors/sandbox/compile.ts';
import type { Vendor } from '../../src/vendors/vendor.ts';
import { type Mutation, mutate } from '../languages/v3-template/mutations.ts';
import { compileForAlicloud } from './golden/alicloud.ts';
import { compileForAws } from './golden/aws.ts';
import { compileForDocker } from './golden/docker.ts';
import { compileForOpenStack } from './golden/openstack.ts';
import { templatePairs } from './random-templates.ts';
import { unresolvedIn } from './references.ts';

/** COMPILE_RUNS=20000 searches longer. */
const numRuns = Number(process.env['COMPILE_RUNS'] ?? 150);
const stackId = 'mo-5447826c870e7-golden000-tk';
const compilers: [string, Vendor['compile']][] = [
  ['sandbox', compileForSandbox],
  ['docker', compileForDocker],
  ['aws', compileForAws],
  ['alicloud', compileForAlicloud],
  ['openstack', compileForOpenStack('openstack')],
  ['k5', compileForOpenStack('k5')],
];

const examples = join(import.meta.dirname, '../../examples');
const exampleTemplates = readdirSync(examples)
  .filter((name) => /\.(?:json|yaml)$/.test(name))
  .map((name): unknown => parse(readFileSync(join(examples, name), 'utf8')));

/** Values that are valid somewhere in a template, or nearly so. */
const oddValues = [
  null,
  true,
  0,
  1,
  -1,
  3,
  1.5,
  65535,
  2 ** 31,
  Number.MAX_SAFE_INTEGER,
  [],
  {},
  '',
  'all',
  'tcp',
  'UDP',
  'ICMP',
  '-1',
  '0.0.0.0/0',
  '::/0',
  '10.0.0.0/8',
  '10.0.0.0/28',
  '192.168.0.0/16',
  '${computed}',
  'toString',
  'constructor',
  't3.toString',
  'valueOf.large',
  'db.constructor',
  '__proto__',
  'ap-northeast-1c',
  't2.nano',
  'cache.r5.large',
  'HTTPS',
  'SSL',
  'HTTP:80/',
  'mariadb',
  'aurora',
  '5.7',
  '*/5 * * * *',
  'ünïcode 名前',
  'x'.repeat(300),
  '"; Ref: $(reboot)\n---\n',
];
const mutation: fc.Arbitrary<Mutation> = fc.record({
  position: fc.nat(),
  value: fc.constantFrom<unknown[]>(...oddValues),
  name: fc.constant(null),
});

/** Templates with up to four odd values. */
const oddTemplates = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...exampleTemplates),
      templatePairs.map(([template]) => template),
    ),
    fc.array(mutation, { maxLength: 4 }),
  )
  .map(([template, mutations]) => mutations.reduce(mutate, template));

const modelOf = (template: unknown): StackModel | null => {
  const outcome = compileTemplate(JSON.parse(JSON.stringify(template)), 'ap-northeast-1');
  return outcome.ok ? outcome.value.model : null;
};

describe.each(compilers)('the compiler for %s', (_, compile) => {
  it('makes a document whose references all resolve, or explains what it rejects, for any valid template', {
    timeout: 5000 + numRuns * 50,
  }, () => {
    let compiled = 0;
    const check = (template: unknown): void => {
      const model = modelOf(template);
      if (!model) return;
      const frozen = JSON.stringify(model);
      const outcome = compile(model, stackId);
      expect(JSON.stringify(model)).toBe(frozen);
      expect(compile(model, stackId)).toEqual(outcome);
      if (outcome.ok) {
        compiled += 1;
        expect(unresolvedIn(outcome.value)).toEqual([]);
      } else {
        expect(outcome.problems.length).toBeGreaterThan(0);
        expect(outcome.problems.filter(({ message }) => !/\S.*[.?]$/s.test(message))).toEqual([]);
      }
    };
    fc.assert(fc.property(oddTemplates, check), { numRuns });
    expect(compiled).toBeGreaterThan(numRuns / 20);
  });
});
