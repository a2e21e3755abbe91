import { describe, expect, it } from 'vitest';
import type { Outcome, Problem } from '../../../src/basics/problem.ts';
import type { StackModel } from '../../../src/model/stack-model.ts';
import { compile as compileForDocker } from '../../../src/vendors/docker/compile.ts';
import { compile as compileForSandbox } from '../../../src/vendors/sandbox/compile.ts';
import { adaptToAlicloud } from '../alicloud/adapt-documents.ts';
import { problemsOf as alicloudProblems } from '../alicloud/compile-world.ts';
import { problemsOf as awsProblems } from '../aws/compile/world.ts';
import { problemsOf as openStackProblems } from '../openstack/compile-world.ts';
import { messagesIn } from './census.ts';
import { resolves, type Sent, v2, v3 } from './documents.ts';
import { alicloudMistakes } from './mistakes/alicloud.ts';
import { awsMistakes } from './mistakes/aws.ts';
import { dockerMistakes } from './mistakes/docker.ts';
import type { Mistake } from './mistakes/draft.ts';
import { openStackMistakes } from './mistakes/openstack.ts';
import { sandboxMistakes } from './mistakes/sandbox.ts';

/** Every place from which a vendor reports problems of a model, without asking the cloud. */
const sources: Readonly<Record<string, readonly string[]>> = {
  sandbox: ['shared/checks.ts', 'sandbox/check.ts'],
  docker: ['docker/check.ts', 'docker/check'],
  aws: ['aws/check.ts', 'aws/check', 'aws/compile.ts', 'aws/layout'],
  alicloud: [
    'alicloud/check.ts',
    'alicloud/check',
    'alicloud/compile.ts',
    'alicloud/layout/instance-types.ts',
    'alicloud/layout/service-classes.ts',
    'alicloud/layout/reserve-subnets.ts',
  ],
  openstack: [
    'openstack/check.ts',
    'openstack/check',
    'openstack/compile.ts',
    'openstack/layout/data-block.ts',
  ],
};

/** No model causes these: earlier checks and the compiler exclude them. The final check of a template finds its own bugs. */
const impossible =
  /^(Must be between ([01] and|\[\^\]\* and \[\^\]\* GiB)|"\[\^\]\*" is not a zone|Too long|A single node|Several zones require|Automatic failover|\[\^\]\* is not an IPv4|These resources depend)/;

type Check = (model: StackModel, options?: Mistake['options']) => readonly Problem[];
const problemsIn = (outcome: Outcome<unknown>) => (outcome.ok ? [] : outcome.problems);

/** On OpenStack a group runs in one zone, so that of the documents is in one of theirs. The sizes are those the documents have. */
function checkOpenStack(model: StackModel, options: Mistake['options'] = {}): readonly Problem[] {
  const layers = model.layers.map((layer) => ({
    ...layer,
    capacity:
      layer.capacity.kind === 'group' && layer.capacity.zones.length === 2
        ? { ...layer.capacity, zones: layer.capacity.zones.slice(0, 1) }
        : layer.capacity,
  }));
  return openStackProblems(
    { ...model, layers },
    {
      dialect: options.dialect ?? 'openstack',
      baseUrl: options.baseUrl ?? 'https://almanac.example.com',
      offer: { certificates: [] },
      kept: {
        dataCidr: options.dataCidr ?? '',
        zone: options.zone ?? '',
        volumeGib: Object.fromEntries(layers.map(({ flag }) => [flag, 30])),
        databaseGib: Object.fromEntries(model.databases.map(({ name }) => [name, 20])),
        databases: Object.fromEntries(
          model.databases.map(({ name, engine }) => [
            name,
            { engine, version: '8.4', flavor: { type: '', name: '', cpus: 1, memoryMib: 1 } },
          ]),
        ),
      },
    },
  );
}

/** Classes are those of Alibaba Cloud unless the mistake says otherwise. The sizes are larger than those of mistakes that shrink. */
function checkAlicloud(model: StackModel, options: Mistake['options'] = {}): readonly Problem[] {
  const adapted = adaptToAlicloud(model);
  return alicloudProblems(adapted, {
    baseUrl: options.baseUrl ?? 'https://almanac.example.com',
    choices: { certificates: {} },
    kept: {
      cidrs: options.dataCidr === undefined ? {} : { DataSubnet1: options.dataCidr },
      volumeGib: Object.fromEntries(model.layers.map(({ flag }) => [flag, 30])),
      databases: Object.fromEntries(
        adapted.databases.map(({ name, engine, instanceType }) => [
          name,
          { engine, version: '8.0', type: instanceType ?? '', category: 'Basic', storageGib: 30 },
        ]),
      ),
    },
  });
}

const vendors: readonly [string, Check, readonly Mistake[]][] = [
  ['sandbox', (model) => problemsIn(compileForSandbox(model, 'mo-1')), sandboxMistakes],
  ['docker', (model) => problemsIn(compileForDocker(model)), dockerMistakes],
  [
    'aws',
    (model, options) =>
      awsProblems(model, { ...options, choices: { certificates: {}, ...options?.choices } }),
    awsMistakes,
  ],
  ['openstack', checkOpenStack, openStackMistakes],
  ['alicloud', checkAlicloud, alicloudMistakes],
];

function problemsOf({ compiled }: Sent, check: Check, { make, options }: Mistake): readonly Problem[] {
  const model = structuredClone(compiled.model) as Parameters<Mistake['make']>[0];
  make(model);
  return check(model, options);
}

/** The paths of the problems that a mistake in the meaning of a request causes, in the request. */
function pathsIn(sent: Sent, check: Check, mistake: Mistake): string[] {
  const { request, compiled } = sent;
  const paths = problemsOf(sent, check, mistake).map(({ path }) => compiled.locate(path));
  expect(paths.filter((path) => !resolves(request, path))).toEqual([]);
  return paths;
}

describe.each(vendors)('a problem found by vendor %s is reported in the document:', (_, check, mistakes) => {
  it('the documents themselves are accepted', () => {
    for (const { compiled } of Object.values({ ...v3, ...v2 })) expect(check(compiled.model)).toEqual([]);
  });

  it.each(mistakes)('$what', (mistake) => {
    for (const format of ['JSON', 'YAML'] as const)
      expect(pathsIn(v3[format], check, mistake)).toContain(mistake.v3);
    expect(pathsIn(v3['other names of members'], check, mistake)).not.toEqual([]);
    for (const sent of Object.values(v2)) expect(pathsIn(sent, check, mistake)).toContain(mistake.v2);
  });
});

it.each(vendors)('every message of vendor %s is among them', (name, check, mistakes) => {
  const produced = Object.values({ ...v3, ...v2 }).flatMap((sent) =>
    mistakes.flatMap((mistake) => problemsOf(sent, check, mistake).map(({ message }) => message)),
  );
  const messages = messagesIn(sources[name] ?? []).filter((pattern) => !impossible.test(pattern.source));
  expect(messages.length).toBeGreaterThan(1);
  const missing = messages.filter((pattern) => !produced.some((message) => pattern.test(message)));
  expect(missing.map(({ source }) => source)).toEqual([]);
});
