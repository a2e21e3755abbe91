import type { Layer, StackModel } from '../../../model/stack-model.ts';
import { hasServers } from '../../shared/layers.ts';
import { isEncrypted } from '../../shared/listeners.ts';
import { catalog } from '../catalog.ts';

/** Choices that a model leaves to the cloud. */
export interface OpenQuestions {
  /** Instance types of all servers. */
  types: string[];
  /** Layers without a machine image, and the instance type the image must support. */
  imagesOf: { flag: string; type: string }[];
  /** Instance types of groups with spot instances, which also need equivalent types. */
  spotTypes: string[];
  /** Domains that need a certificate. */
  domains: string[];
}

export const instanceTypeOf = ({ instanceType }: Layer): string =>
  instanceType ?? catalog.defaultInstanceType;

const usesSpot = ({ capacity }: Layer): boolean => capacity.kind === 'group' && capacity.spotPercent > 0;

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

export function openQuestions(model: StackModel): OpenQuestions {
  const withServers = model.layers.filter(hasServers);
  const listeners = model.layers.flatMap(({ loadBalancer }) => loadBalancer?.listeners ?? []);
  return {
    types: unique(withServers.map(instanceTypeOf)),
    imagesOf: withServers
      .filter(({ machineImage }) => machineImage === null)
      .map((layer) => ({ flag: layer.flag, type: instanceTypeOf(layer) })),
    spotTypes: unique(withServers.filter(usesSpot).map(instanceTypeOf)),
    domains: unique(
      listeners.filter(isEncrypted).flatMap(({ certificateDomain }) => certificateDomain ?? []),
    ),
  };
}
