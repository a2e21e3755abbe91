import { describe, expect, it } from 'vitest';
import { sampleGroup, sampleLayer, sampleModel } from '../../sample-model.ts';
import { documentOf, layersIn, problemsOf, resourceIn, sampleContainer, templateOf } from './world.ts';

const database = {
  name: 'main',
  engine: 'mysql',
  engineVersion: null,
  instanceType: null,
  storageGib: 5,
  replicas: 1,
  multiZone: false,
} as const;

describe('a template', () => {
  it('is plain data', () => {
    const document = documentOf(sampleModel({ layers: [sampleGroup(2, 50)], databases: [database] }));
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  it('names only resources it has', () => {
    const model = sampleModel({ layers: [sampleGroup(2, 50)], databases: [database] });
    const template = templateOf(model);
    const known = new Set([...Object.keys(template.Resources), ...Object.keys(template.Parameters)]);
    const text = JSON.stringify(template);
    const named = [...text.matchAll(/"(?:Ref":|Fn::GetAtt":\[)"([^"]+)"/g)].map((match) => match[1] ?? '');
    const waitedFor = Object.values(template.Resources).flatMap(({ DependsOn = [] }) => DependsOn);
    expect([...named, ...waitedFor].filter((id) => !known.has(id))).toEqual([]);
  });

  it('carries its version where every version is an update, and nowhere else', () => {
    const template = templateOf(sampleModel());
    expect(resourceIn(template, 'VPC').Metadata).toEqual({ Version: { Ref: 'Version' } });
    expect(JSON.stringify(template).match(/"Ref":"Version"/g)).toHaveLength(1);
  });

  it('holds nothing of what a container runs with', () => {
    const container = sampleContainer({
      image: 'registry.example.com/hidden-image',
      registryUsername: 'hidden-robot',
      registryPasswordSecret: 'hidden-password',
      gitPrivateKeySecret: 'hidden-key',
      environment: { MODE: 'hidden-mode' },
      addons: [{ name: 'hidden-addon', apiKeySecret: 'hidden-api-key' }],
    });
    expect(JSON.stringify(templateOf(layersIn({ container })))).not.toContain('hidden');
  });

  it('tells the servers of web1 from the later ones of web', () => {
    const { Resources } = templateOf(
      layersIn({ flag: 'web', capacity: { kind: 'fixed', count: 12 } }, { flag: 'web1' }),
    );
    expect(Object.values(Resources).filter(({ Type }) => Type === 'AWS::EC2::Instance')).toHaveLength(13);
  });

  it('has the addresses under the names users know, later ones with their own name behind', () => {
    const again = { ...database, name: 'other-2', replicas: 0 };
    const model = sampleModel({ layers: [sampleGroup(1, 0)], databases: [database, again] });
    const keys = Object.keys(templateOf(model).Outputs).filter((key) => !key.startsWith('Almanac'));
    expect(keys).toEqual([
      'Address',
      'DBAddress',
      'DBPort',
      'DBSlave1Address',
      'DBAddressother2',
      'DBPortother2',
    ]);
  });

  it('keeps what was decided, with the blocks of addresses it took', () => {
    const { choices } = documentOf(sampleModel({ databases: [database] }));
    expect(choices.cidrs).toEqual({ DataSubnet1: '10.0.255.0/24', DataSubnet2: '10.0.254.0/24' });
    const again = documentOf(sampleModel({ databases: [database], layers: [sampleGroup(1, 0)] }), {
      choices,
    });
    expect(again.choices.cidrs).toMatchObject(choices.cidrs);
  });
});

describe('refused for its size or its names', () => {
  it('is a stack of more than 500 resources', () => {
    const model = sampleModel({ layers: [sampleLayer({ capacity: { kind: 'fixed', count: 240 } })] });
    expect(problemsOf(model)).toEqual([]);
    const greater = layersIn(
      ...Array.from({ length: 3 }, () => ({ capacity: { kind: 'fixed', count: 170 } as const })),
    );
    expect(problemsOf(greater)).toMatchObject([{ path: 'layers', message: expect.stringContaining('500') }]);
  });

  it('is a stack whose names read the same behind the kinds of resources', () => {
    const secret = { ...database, name: 'Secretmain' };
    expect(problemsOf(sampleModel({ databases: [database, secret] }))).toMatchObject([
      { path: 'databases/1', message: expect.stringContaining('DatabaseSecretmain') },
    ]);
  });
});
