import { describe, expect, it } from 'vitest';
import type { Layer, StackModel } from '../../../../src/model/stack-model.ts';
import { nothingChosen } from '../../../../src/vendors/aws/choices.ts';
import { existingSubnets } from '../../../../src/vendors/aws/choose/existing-subnets.ts';
import { chooseSubnets } from '../../../../src/vendors/aws/choose/subnets.ts';
import type { AwsDocument } from '../../../../src/vendors/aws/document.ts';
import { sampleGroup } from '../../sample-model.ts';
import { documentOf, layersIn, propertiesIn } from '../compile/world.ts';

const [a, b, c] = ['a', 'b', 'c'].map((letter) => `ap-northeast-1${letter}`);
const subnetOf = (cidr: string): Layer['subnet'] => ({ cidr, public: true, assignPublicIp: true });
const { loadBalancer } = sampleGroup(1, 0);

const choose = (model: StackModel, before: AwsDocument) =>
  chooseSubnets(
    model,
    { ...nothingChosen, ...before.choices },
    {
      existing: existingSubnets(model, before),
      offerings: new Map(),
    },
  );

/** Compiles the next version of a stack. */
function next(model: StackModel, before: AwsDocument): AwsDocument {
  const chosen = choose(model, before);
  if (!chosen.ok) throw new Error(JSON.stringify(chosen.problems));
  return documentOf(model, { choices: { zones: before.choices.zones, ...chosen.value } });
}
const problemsOf = (model: StackModel, before: AwsDocument) => {
  const chosen = choose(model, before);
  return chosen.ok ? [] : chosen.problems;
};
const placeOf = ({ template }: AwsDocument, id: string) => {
  const { AvailabilityZone, CidrBlock } = propertiesIn(template, id);
  return [AvailabilityZone, CidrBlock];
};

describe('an existing subnet', () => {
  const group = (...zones: string[]): Partial<Layer> => {
    const { capacity } = sampleGroup(1, 0);
    return { capacity: { ...capacity, zones } as Layer['capacity'] };
  };

  it('stays in its zone when the model no longer specifies one', () => {
    const before = documentOf(layersIn({ ...group(c!) }, { zone: b! }));
    const later = layersIn({ ...group() }, {});
    expect(placeOf(next(later, before), 'SubnetLayer0')).toEqual([c, '10.0.0.0/24']);
    expect(placeOf(next(later, before), 'SubnetLayer1')).toEqual([b, '10.0.1.0/24']);
    expect(next(later, before).choices.places).toEqual({ SubnetLayer0: c, SubnetLayer1: b });
  });

  it('stays in its zone when an earlier release did not store the zone', () => {
    const { template, choices } = documentOf(layersIn({ ...group(c!) }));
    const { places: _, databases: __, caches: ___, machineImages: ____, ...old } = choices;
    const before = { template, choices: old as typeof choices };
    expect(placeOf(next(layersIn({ ...group() }), before), 'SubnetLayer0')).toEqual([c, '10.0.0.0/24']);
  });

  it('cannot move to another zone, but can be replaced there with another CIDR block', () => {
    const before = documentOf(layersIn({ zone: a! }));
    expect(problemsOf(layersIn({ zone: c! }), before)).toMatchObject([
      { path: 'layers/0/zone', message: expect.stringContaining(`is in zone ${a}`) },
    ]);
    const replaced = layersIn({ zone: c!, subnet: subnetOf('10.0.9.0/24') });
    expect(placeOf(next(replaced, before), 'SubnetLayer0')).toEqual([c, '10.0.9.0/24']);
  });

  it('keeps its CIDR block; the error for another layer names the block that layer already uses', () => {
    const before = documentOf(layersIn({ flag: 'First' }, { flag: 'Second' }));
    expect(problemsOf(layersIn({ flag: 'Second' }), before)).toMatchObject([
      {
        path: 'layers/0/subnet/cidr',
        message: expect.stringMatching(/SubnetFirst.*currently uses 10\.0\.1\.0\/24: keep that/),
      },
    ]);
    expect(problemsOf(layersIn({ flag: 'Renamed' }, { flag: 'Second' }), before)).toMatchObject([
      { path: 'layers/0/subnet/cidr', message: expect.stringContaining('Choose another cidr') },
    ]);
    expect(problemsOf(layersIn({ flag: 'First', subnet: subnetOf('10.0.0.0/25') }), before)).toMatchObject([
      { path: 'layers/0/subnet/cidr' },
    ]);
    expect(problemsOf(layersIn({ flag: 'First' }, { flag: 'Second' }), before)).toEqual([]);
  });

  it('does not matter if the network is replaced', () => {
    const before = documentOf(layersIn({ flag: 'First' }));
    const elsewhere = { ...layersIn({ flag: 'Other', zone: c! }), networkCidr: '10.0.0.0/20' };
    expect(problemsOf(elsewhere, before)).toEqual([]);
  });
});

describe('the subnet for load balancers', () => {
  const before = documentOf(layersIn({ loadBalancer, zone: a! }));

  it('stays in its zone even if another zone would now be chosen first', () => {
    expect(placeOf(before, 'BalancerSubnet')).toEqual([b, '10.0.255.0/24']);
    const choices = { ...before.choices, zones: [a!, c!, b!] };
    const later = next(layersIn({ loadBalancer, zone: a! }), { ...before, choices });
    expect(placeOf(later, 'BalancerSubnet')).toEqual([b, '10.0.255.0/24']);
  });

  it('is replaced, with another CIDR block, when it is needed in another zone', () => {
    const behind = { flag: 'Behind', subnet: { ...subnetOf('10.0.1.0/24'), public: false }, zone: c! };
    const model = layersIn(
      { loadBalancer, zone: a! },
      { ...behind, loadBalancer: { ...loadBalancer!, subnetsOf: ['Layer0'] } },
    );
    const later = next(model, before);
    expect(placeOf(later, 'BalancerSubnet')).toEqual([c, '10.0.254.0/24']);
    expect(placeOf(next(model, later), 'BalancerSubnet')).toEqual([c, '10.0.254.0/24']);
  });
});
