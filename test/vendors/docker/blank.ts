import type { Fleet } from '../../../src/vendors/docker/document.ts';
import { onEngine, storageName } from '../../../src/vendors/docker/names.ts';
import type { ObservedVolume, StackContainer } from '../../../src/vendors/docker/observed-stack.ts';

/** Objects of a simulated engine, before they are filled. */

export const newVolume: ObservedVolume = {
  name: '',
  storeId: '',
  instance: '',
  flag: '',
  isCopy: false,
  restoredFrom: '',
  kept: null,
};

export const blank: StackContainer = {
  id: '',
  name: '',
  kind: 'app',
  part: '',
  hash: '',
  flag: '',
  spot: false,
  inGroup: false,
  version: 'v',
  type: '',
  image: '',
  volume: '',
  instance: '',
  state: 'created',
  phase: { kind: 'serving' },
  address: '',
  ports: [],
  createdAt: 0,
  ready: false,
  configuration: '',
  peers: [],
};

/** As `instanceRecipe` and `serviceRecipe` label containers. */
export function volumeFor(
  stackId: string,
  part: string,
  { fleet, found }: { fleet: Fleet | undefined; found: object | undefined },
): string {
  if (fleet) return fleet.files || fleet.inGroup ? '' : onEngine(stackId, storageName(part));
  const volume = found && 'volume' in found ? found.volume : null;
  return typeof volume === 'string' ? onEngine(stackId, volume) : '';
}
