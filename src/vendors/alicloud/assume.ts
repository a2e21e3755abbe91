import { type Outcome, reject } from '../../basics/problem.ts';
import type { StackModel } from '../../model/stack-model.ts';
import { typeSize } from '../shared/type-sizes.ts';
import { defaultTypes } from './catalog.ts';
import { type Architecture, type Choices, nothingChosen } from './choices.ts';
import type { InstanceType } from './choose/cloud-facts.ts';
import { decide } from './choose/decide.ts';
import type { Offer } from './choose/offer.ts';
import { isInstanceType, siblingsOf } from './layout/instance-types.ts';
import { regionProblems } from './layout/regions.ts';

/** The choices of an account that has everything the model names. */
export function assume(model: StackModel, regions: readonly string[]): Outcome<Choices> {
  const problems = regionProblems(regions, model.region);
  if (problems.length > 0) return reject(problems);
  return decide({ model, offer: offerFor(model), kept: nothingChosen });
}

/** Processors of Alibaba Cloud's own: a `y` after the generation, as in ecs.g8y.large. */
const architectureOf = (type: string): Architecture => (/^ecs\.[a-z]+\d+y/.test(type) ? 'arm64' : 'x86_64');

function offerFor(model: StackModel): Offer {
  const { layers } = model;
  const zones = zonesIn(model);
  const own = [...layers.flatMap(({ instanceType }) => instanceType ?? []), ...defaultTypes].filter(
    isInstanceType,
  );
  const types = [...new Set([...own, ...own.flatMap(siblingsOf)])];
  return {
    zones,
    instanceTypes: types.map((type) => typeNamed(type, zones)),
    systemImages: {
      x86_64: { id: 'x86_64', architecture: 'x86_64' },
      arm64: { id: 'arm64', architecture: 'arm64' },
    },
    images: layers.flatMap(({ machineImage, instanceType }) =>
      machineImage === null
        ? []
        : [{ id: machineImage, architecture: architectureOf(instanceType ?? defaultTypes[0]) }],
    ),
    certificates: layers
      .flatMap(({ loadBalancer }) => loadBalancer?.listeners ?? [])
      .flatMap(({ certificateDomain }) => certificateDomain ?? [])
      .map((domain) => ({ id: domain, domains: [domain], expiresAt: 1 })),
    // Before every certificate expires.
    now: 0,
  };
}

const typeNamed = (name: string, zones: readonly string[]): InstanceType => ({
  name,
  ...(typeSize(name) ?? { cpus: 0, memoryGib: 0 }),
  architecture: architectureOf(name),
  zones,
});

const zonesIn = ({ layers, region }: StackModel): string[] => [
  ...new Set([
    ...layers.flatMap(({ zone, capacity }) => [
      ...(zone === null ? [] : [zone]),
      ...(capacity.kind === 'group' ? capacity.zones : []),
    ]),
    `${region}-a`,
    `${region}-b`,
  ]),
];
