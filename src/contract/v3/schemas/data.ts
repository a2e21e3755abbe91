import { Type } from 'typebox';
import { type DataChoice, dataChoices } from '../../../model/data-choice.ts';

const dataChoice = (description: string) =>
  Type.Optional(Type.Unsafe<DataChoice>(Type.String({ enum: [...dataChoices], description })));

/** For routes that update a stack. */
export const updateDataQuery = {
  data: dataChoice(
    'Confirms an update that removes or replaces a database or other data; without it, such an update fails with 409. ' +
      '`keep`: go on if the vendor keeps the data, such as in a snapshot. `delete`: go on even if data is lost.',
  ),
};

/** For routes that delete a stack. */
export const deleteDataQuery = {
  data: dataChoice(
    '`keep` (default): the vendor keeps the data of databases and Redis caches outside the stack, such as in snapshots. ' +
      '`delete`: the data is deleted with the stack.',
  ),
};

export const deletedData = Type.Optional(
  Type.Array(
    Type.Object({
      resource: Type.String({ description: 'Name of the resource in the vendor document.' }),
      resource_type: Type.String(),
      kept_as: Type.String({
        description: 'How the data is kept, and where to find it. Empty if it is deleted.',
      }),
    }),
    { description: 'The data of the stack, and what happens to it. Absent if it has none.' },
  ),
);

export const deletedDataExample = [
  {
    resource: 'Databaseapp',
    resource_type: 'AWS::RDS::DBInstance',
    kept_as:
      'AWS takes a final snapshot whose name starts with alm-mo-5447826c870e7-ab3de6gh9-tk-snapshot-databaseapp-: find it in RDS under Snapshots.',
  },
];
