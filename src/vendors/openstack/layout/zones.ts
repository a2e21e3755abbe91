import type { Layer } from '../../../model/stack-model.ts';
import type { Dialect } from '../dialect.ts';

/** The zone of a layer's servers; empty: the cloud chooses. */
export const zoneOfLayer = (
  { zonedNetworks }: Dialect,
  zoneOfStack: string,
  { zone, capacity }: Layer,
): string =>
  zonedNetworks ? zoneOfStack : ((capacity.kind === 'group' ? capacity.zones[0] : undefined) ?? zone ?? '');
