import type { StackModel } from '../../../model/stack-model.ts';
import type { Choices } from '../choices.ts';
import type { TemplateResource } from '../document.ts';
import type { BalancerPlaces } from '../layout/balancer-places.ts';

/** What every part of the template is made from. */
export interface Context {
  model: StackModel;
  stackId: string;
  choices: Choices;
  balancers: BalancerPlaces;
  /** Where servers in the cloud reach this Almanac. */
  baseUrl: string;
}

/** What a model is checked with, before anything is made from it. */
export type Checked = Pick<Context, 'model' | 'choices' | 'baseUrl'>;

/** A resource under its logical id. */
export type Entry = readonly [logicalId: string, resource: TemplateResource];

/** For what must wait until others stand, though it does not name them. */
export const after = (ids: readonly string[]): Pick<TemplateResource, 'DependsOn'> =>
  ids.length === 0 ? {} : { DependsOn: [...new Set(ids)] };

/** What Almanac makes goes with the stack; what an update must replace may hold data somebody misses. */
export const goneWithStack = { DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' } as const;
export const savedWhenReplaced = { DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Snapshot' } as const;
