import type { StackModel } from '../../../model/stack-model.ts';
import { isEncrypted } from '../../shared/listeners.ts';
import { defaultTypes } from '../catalog.ts';
import type { Architecture, Choices } from '../choices.ts';
import { siblingsOf } from '../layout/instance-types.ts';
import type { Certificate, CloudFacts, Image, InstanceType } from './cloud-facts.ts';

/** What the cloud has of the things that a model may need. */
export interface Offer {
  zones: readonly string[];
  instanceTypes: readonly InstanceType[];
  /** By architecture. */
  systemImages: Readonly<Partial<Record<Architecture, Image>>>;
  images: readonly Image[];
  certificates: readonly Certificate[];
  /** Milliseconds since 1970. */
  now: number;
}

const usesCertificates = ({ layers }: StackModel): boolean =>
  layers.some(({ loadBalancer }) => loadBalancer?.listeners.some(isEncrypted));

const typesIn = ({ layers }: StackModel, kept: Choices): string[] => {
  const named = layers.flatMap(({ flag, instanceType }) => [instanceType, kept.servers[flag]?.type]);
  const types = [...named.flatMap((type) => type ?? []), ...defaultTypes];
  return [...new Set([...types, ...types.flatMap(siblingsOf)])];
};

/** Asks only for what the model may need. */
export async function readOffer(
  facts: CloudFacts,
  { model, kept }: { model: StackModel; kept: Choices },
  now: number,
): Promise<Offer> {
  const ids = [...new Set(model.layers.flatMap(({ machineImage }) => machineImage ?? []))];
  const [zones, instanceTypes, x86, arm, images, certificates] = await Promise.all([
    facts.zones(),
    facts.instanceTypes(typesIn(model, kept)),
    facts.systemImage('x86_64'),
    facts.systemImage('arm64'),
    ids.length > 0 ? facts.images(ids) : [],
    usesCertificates(model) ? facts.certificates() : [],
  ]);
  return {
    zones,
    instanceTypes,
    systemImages: { ...(x86 ? { x86_64: x86 } : {}), ...(arm ? { arm64: arm } : {}) },
    images,
    certificates,
    now,
  };
}
