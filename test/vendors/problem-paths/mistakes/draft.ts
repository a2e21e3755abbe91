import type { StackModel } from '../../../../src/model/stack-model.ts';
import type { DialectName } from '../../../../src/vendors/openstack/dialect.ts';
import type { CompileOptions } from '../../aws/compile/world.ts';

type Draft<T> = T extends object ? { -readonly [K in keyof T]: Draft<T[K]> } : T;
export type DraftModel = Draft<StackModel>;
export type DraftLayer = DraftModel['layers'][number];

/** A mistake in the model, and where the problem is reported in a template and in a v2 request. */
export interface Mistake {
  what: string;
  make: (model: DraftModel) => void;
  v3: string;
  v2: string;
  /** What the cloud offered or had before, and the address of this server. */
  options?: CompileOptions & { dialect?: DialectName; dataCidr?: string; zone?: string };
}

export const provision = 'configurations/0/provision';
export const layerOf = ({ layers: [layer] }: DraftModel): DraftLayer => layer!;
export const groupOf = (model: DraftModel) =>
  layerOf(model).capacity as Extract<DraftLayer['capacity'], { kind: 'group' }>;
export const balancerOf = (model: DraftModel) => layerOf(model).loadBalancer!;
export const listenerOf = (model: DraftModel) => balancerOf(model).listeners[0]!;
export const healthOf = (model: DraftModel) => balancerOf(model).healthCheck;
export const containerOf = (model: DraftModel) => layerOf(model).container!;

export const inLayer = (
  what: string,
  make: (layer: DraftLayer) => void,
  paths: { v3: string; v2: string },
): Mistake => ({
  what,
  make: (model) => make(layerOf(model)),
  v3: paths.v3 === 'flag' ? 'configurations/0/flag' : `${provision}/${paths.v3}`,
  v2: paths.v2,
});

export const balancer = `${provision}/load_balancer`;
export const listener = `${balancer}/listeners/0`;
export const architecture = 'configurations/architecture';
export const all = 'configurations';
export const type = 'configurations/type';

/** Leaves only the first layer, without references to others. */
export function aloneIn(model: DraftModel): void {
  model.layers.splice(1);
  Object.assign(groupOf(model), { subnetsOf: [], securityGroupsOf: [], zones: [] });
  Object.assign(balancerOf(model), { subnetsOf: [], securityGroupsOf: [] });
}
