import { offsetTime } from '../../../basics/clock.ts';
import type { KeptStore } from '../../data.ts';
import type { Machine } from '../tools.ts';
import { listKept } from './kept-volumes.ts';
import type { RecordedVolume } from './record.ts';

const keptStore = ({ storeId, volume, keptAt, until }: RecordedVolume): KeptStore => ({
  storeId,
  reference: volume,
  where: `Volume ${volume} of the machine, ${until === null ? 'until the operator removes it' : `until ${offsetTime(until)}`}.`,
  since: keptAt,
  until,
});

/** What the machine keeps of a stack, also after the stack is gone. */
export const keptStores = async (machine: Machine, stackId: string): Promise<KeptStore[]> =>
  (await listKept(machine)).filter((kept) => kept.stackId === stackId).map(keptStore);
