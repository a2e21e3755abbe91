import type { StackModel } from '../../../model/stack-model.ts';
import type { Choices } from '../choices.ts';
import type { CompiledResource, TemplateResource } from '../document.ts';
import type { BalancerPlaces } from '../layout/balancer-places.ts';

/** Input of every part of the template. */
export interface Context {
  model: StackModel;
  stackId: string;
  choices: Choices;
  balancers: BalancerPlaces;
  /** The URL at which servers in the cloud reach this Almanac. */
  baseUrl: string;
}

/** Input of the checks, which run before compilation. */
export type CheckContext = Pick<Context, 'model' | 'choices' | 'baseUrl'>;

/** A resource under its logical id. */
export type Entry = readonly [logicalId: string, resource: CompiledResource];

/** Explicit dependencies on resources that a resource does not refer to. */
export const dependsOn = (ids: readonly string[]): Pick<TemplateResource, 'DependsOn'> =>
  ids.length === 0 ? {} : { DependsOn: [...new Set(ids)] };

/** For resources with data, and for those of the same types that hold only copies. */
export const keptAsSnapshot = { DeletionPolicy: 'Snapshot', UpdateReplacePolicy: 'Snapshot' } as const;
export const deletedWithStack = { DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' } as const;
