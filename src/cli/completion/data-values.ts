import type { QueryOf, SuccessOf } from '../../contract/route.ts';
import type { listData } from '../../contract/v3/data.ts';
import type { System } from '../system.ts';
import type { Candidate } from './candidate.ts';
import { apiFor } from './completion-api.ts';
import type { PartialLine } from './partial-line.ts';
import { type ServiceValues, stackOf } from './service-values.ts';

type Store = SuccessOf<typeof listData>[number];

const stores = async (
  system: System,
  line: PartialLine,
  query: QueryOf<typeof listData>,
): Promise<readonly Store[]> =>
  (await (await apiFor(system, line)).call<typeof listData>('GET', '/v3/alm/data', { query })).body;

const candidate = ({ id, nickname, kind, name, state }: Store): Candidate => ({
  word: id,
  about: `${nickname}, ${kind} ${name}, ${state}`,
});

export const dataIds: ServiceValues = async (system, line) => (await stores(system, line, {})).map(candidate);

export const keptDataIds: ServiceValues = async (system, line) =>
  (await stores(system, line, { state: 'kept' })).map(candidate);

/** Values of `--restore`. */
export const restoreValues: ServiceValues = async (system, line, flag) => {
  const stack_id = await stackOf(system, line, flag);
  const kept = stack_id === '' ? [] : await stores(system, line, { stack_id, state: 'kept' });
  return [
    { word: 'latest', about: 'the data that was kept last' },
    { word: 'empty', about: 'new and empty' },
    ...kept.map(candidate),
  ];
};

/** Values of `--data`: both choices for each store of the stack. */
export const dataChoices: ServiceValues = async (system, line, flag) => {
  const stack_id = await stackOf(system, line, flag);
  const found = stack_id === '' ? [] : await stores(system, line, { stack_id, state: 'in_use' });
  return found
    .filter(({ kind }) => kind !== 'disk')
    .flatMap(({ resource, kind, name }) =>
      ['keep', 'delete'].map((choice) => ({ word: `${resource}=${choice}`, about: `${kind} ${name}` })),
    );
};
