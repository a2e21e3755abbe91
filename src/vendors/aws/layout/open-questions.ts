import type { Layer, StackModel } from '../../../model/stack-model.ts';
import { catalog } from '../catalog.ts';
import { isEncrypted } from './listeners.ts';
import { hasServers } from './placement.ts';

/** What a model leaves for the cloud to answer. */
export interface OpenQuestions {
  /** Instance types the model's servers are of. */
  types: string[];
  /** Layers that name no machine image, and the type that must run it. */
  imagesOf: { flag: string; type: string }[];
  /** Types of groups with spot instances: others as good are wanted beside them. */
  spotTypes: string[];
  /** Domains that certificates are wanted for. */
  domains: string[];
}

export const instanceTypeOf = ({ instanceType }: Layer): string =>
  instanceType ?? catalog.defaultInstanceType;

const wantsSpot = ({ capacity }: Layer): boolean => capacity.kind === 'group' && capacity.spotPercent > 0;

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

export function openQuestions(model: StackModel): OpenQuestions {
  const withServers = model.layers.filter(hasServers);
  const listeners = model.layers.flatMap(({ loadBalancer }) => loadBalancer?.listeners ?? []);
  return {
    types: unique(withServers.map(instanceTypeOf)),
    imagesOf: withServers
      .filter(({ machineImage }) => machineImage === null)
      .map((layer) => ({ flag: layer.flag, type: instanceTypeOf(layer) })),
    spotTypes: unique(withServers.filter(wantsSpot).map(instanceTypeOf)),
    domains: unique(
      listeners.filter(isEncrypted).flatMap(({ certificateDomain }) => certificateDomain ?? []),
    ),
  };
}
