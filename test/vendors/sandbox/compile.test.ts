import { describe, expect, it } from 'vitest';
import type { StackModel } from '../../../src/model/stack-model.ts';
import { compile } from '../../../src/vendors/sandbox/compile.ts';
import type { SandboxDocument } from '../../../src/vendors/sandbox/document.ts';
import { fixedServers, sampleGroup, sampleLayer, sampleModel } from '../sample-model.ts';

const documentOf = (model: StackModel): SandboxDocument => {
  const outcome = compile(model, 'mo-1');
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
};

const problemsOf = (model: StackModel) => {
  const outcome = compile(model, 'mo-1');
  return outcome.ok ? [] : outcome.problems;
};

const second = (cidr: string, flag = 'Second') =>
  sampleLayer({ flag, subnet: { cidr, public: true, assignPublicIp: true } });

describe('a sandbox document', () => {
  it('lists each resource after its dependencies, with a unique name', () => {
    const shared = sampleLayer({
      flag: 'Second',
      subnet: { cidr: '10.0.1.0/24', public: true, assignPublicIp: true },
      capacity: { kind: 'shared', groupOf: 'Web0' },
    });
    const { resources } = documentOf(sampleModel({ layers: [shared, sampleGroup(2, 50)] }));
    const before = new Set<string>();
    for (const { name, dependsOn } of resources) {
      expect(before).not.toContain(name);
      for (const dependency of dependsOn) expect(before).toContain(dependency);
      before.add(name);
    }
  });

  it('has different names for the servers of layers web1 and web', () => {
    const layers = [
      sampleLayer({ flag: 'web', capacity: { kind: 'fixed', count: 12 } }),
      sampleLayer({ flag: 'web1', subnet: { cidr: '10.0.1.0/24', public: true, assignPublicIp: true } }),
    ];
    const names = documentOf(sampleModel({ layers })).resources.map((resource) => resource.name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('survives JSON', () => {
    const document = documentOf(sampleModel({ layers: [sampleGroup(2, 50)] }));
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });
});

describe('compile for the sandbox rejects', () => {
  it.each<[string, string, StackModel]>([
    ['an invalid region', 'region', sampleModel({ region: '!' })],
    ['an invalid network CIDR', 'networkCidr', sampleModel({ networkCidr: '10.0.0.0' })],
    ['an invalid subnet CIDR', 'layers/0/subnet/cidr', sampleModel({ layers: [second('10.0.0.300/24')] })],
    [
      'a subnet outside the network',
      'layers/0/subnet/cidr',
      sampleModel({ layers: [second('10.1.0.0/24')] }),
    ],
    [
      'overlapping subnets',
      'layers/1/subnet/cidr',
      sampleModel({ layers: [sampleLayer(), second('10.0.0.128/25')] }),
    ],
    [
      'more servers than addresses',
      'layers/0/capacity/count',
      fixedServers(12, { subnet: { cidr: '10.0.0.0/28', public: true, assignPublicIp: true } }),
    ],
    [
      'flags that produce the same resource names',
      'layers/1/flag',
      sampleModel({ layers: [sampleLayer({ flag: 'Web-0' }), second('10.0.1.0/24', 'Web0')] }),
    ],
    [
      'a shared group of an unknown layer',
      'layers/0/capacity/groupOf',
      sampleModel({ layers: [sampleLayer({ capacity: { kind: 'shared', groupOf: 'Unknown' } })] }),
    ],
    [
      'seven Redis nodes',
      'caches/0/nodes',
      sampleModel({ caches: [{ name: 'c', engine: 'redis', nodeType: 'cache.t2.micro', nodes: 7 }] }),
    ],
  ])('%s', (_, path, model) => {
    expect(problemsOf(model)).toMatchObject([{ path }]);
  });

  it('several problems at once', () => {
    const model = sampleModel({ region: '!', networkCidr: 'x', layers: [second('y')] });
    expect(problemsOf(model).map((problem) => problem.path)).toEqual([
      'region',
      'networkCidr',
      'layers/0/subnet/cidr',
    ]);
  });
});
