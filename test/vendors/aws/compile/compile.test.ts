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
  it('is plain JSON data', () => {
    const document = documentOf(sampleModel({ layers: [sampleGroup(2, 50)], databases: [database] }));
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  it('refers only to resources it contains', () => {
    const model = sampleModel({ layers: [sampleGroup(2, 50)], databases: [database] });
    const template = templateOf(model);
    const known = new Set([...Object.keys(template.Resources), ...Object.keys(template.Parameters)]);
    const text = JSON.stringify(template);
    const named = [...text.matchAll(/"(?:Ref":|Fn::GetAtt":\[)"([^"]+)"/g)].map((match) => match[1] ?? '');
    const dependencies = Object.values(template.Resources).flatMap(({ DependsOn = [] }) => DependsOn);
    expect([...named, ...dependencies].filter((id) => !known.has(id))).toEqual([]);
  });

  it('contains its version once, in metadata, so that every version is an update', () => {
    const template = templateOf(sampleModel());
    expect(resourceIn(template, 'VPC').Metadata).toEqual({ Version: { Ref: 'Version' } });
    expect(JSON.stringify(template).match(/"Ref":"Version"/g)).toHaveLength(1);
  });

  it('contains no settings or secrets of containers', () => {
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

  it('has distinct logical ids for servers of layers web and web1', () => {
    const { Resources } = templateOf(
      layersIn({ flag: 'web', capacity: { kind: 'fixed', count: 12 } }, { flag: 'web1' }),
    );
    expect(Object.values(Resources).filter(({ Type }) => Type === 'AWS::EC2::Instance')).toHaveLength(13);
  });

  it('has outputs under the common keys; keys of further databases end with their name', () => {
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

  it('keeps earlier choices, including CIDR blocks', () => {
    const { choices } = documentOf(sampleModel({ databases: [database] }));
    expect(choices.cidrs).toEqual({ DataSubnet1: '10.0.255.0/24', DataSubnet2: '10.0.254.0/24' });
    const again = documentOf(sampleModel({ databases: [database], layers: [sampleGroup(1, 0)] }), {
      choices,
    });
    expect(again.choices.cidrs).toMatchObject(choices.cidrs);
  });
});

describe('the compiler rejects', () => {
  it('a stack of more than 500 resources', () => {
    const model = sampleModel({ layers: [sampleLayer({ capacity: { kind: 'fixed', count: 240 } })] });
    expect(problemsOf(model)).toEqual([]);
    const tooLarge = layersIn(
      ...Array.from({ length: 3 }, () => ({ capacity: { kind: 'fixed', count: 170 } as const })),
    );
    expect(problemsOf(tooLarge)).toMatchObject([{ path: 'layers', message: expect.stringContaining('500') }]);
  });

  it('names that produce the same logical id for different resources', () => {
    const secret = { ...database, name: 'Secretmain' };
    expect(problemsOf(sampleModel({ databases: [database, secret] }))).toMatchObject([
      { path: 'databases/1', message: expect.stringContaining('DatabaseSecretmain') },
    ]);
  });
});
