import { Type } from 'typebox';

const choices =
  '`keep`: go on if the vendor keeps the data, such as in a snapshot. `delete`: go on even if data is lost. One for each store: ' +
  '`<id or resource>:keep,<id or resource>:delete`.';

const dataParameter = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^(keep|delete|[^:,]+:(keep|delete)(,[^:,]+:(keep|delete))*)$',
      maxLength: 4000,
      description,
    }),
  );

const servers = Type.Optional(
  Type.Unsafe<'replace'>(
    Type.String({
      enum: ['replace'],
      description:
        'Confirms that servers outside groups are replaced or removed, with what is only on their disks; without it, such a ' +
        'request fails with 409.',
    }),
  ),
);

/** For routes that update a stack. */
export const updateDataQuery = {
  data: dataParameter(
    'Confirms a request that removes or replaces a database or other data; without it, such a request fails with 409, whose ' +
      `\`stores\` say what becomes of each. ${choices}`,
  ),
  servers,
};

/** For routes that delete a stack. */
export const deleteDataQuery = {
  data: dataParameter(
    '`keep` (default): the vendor keeps the data of databases, Redis caches and files outside the stack, such as in snapshots; 409 ' +
      'if it cannot. `delete`: the data is deleted with the stack. One for each store: `<id or resource>:keep,<id or resource>:delete`.',
  ),
  servers,
};

const sentences = Type.Array(Type.String(), {
  description: 'What becomes of it with each of `confirm`, in the same order.',
});

/** A store of data that a request removes or replaces. */
const affectedStore = Type.Object(
  {
    id: Type.String({ description: 'Id of the store, as in `GET /v3/alm/data`.' }),
    resource: Type.String({ description: 'Name of the resource in the vendor document.' }),
    resource_type: Type.String(),
    kind: Type.String({ description: '`database`, `cache`, `files` or `disk`.' }),
    store_id: Type.String({ description: 'Id at the vendor.' }),
    action: Type.Unsafe<'remove' | 'replace'>(Type.String({ enum: ['remove', 'replace'] })),
    confirm: Type.Array(Type.String(), {
      description: 'Parameters that confirm it: one of them must be in the request.',
    }),
    sentence: Type.String({ description: 'What becomes of it.' }),
    sentences,
  },
  { $id: 'AffectedStore' },
);

export const affectedStores = Type.Array(affectedStore, {
  description: 'Stores of data that it removes or replaces, each with what the request must confirm.',
});

/** Stores that an older version has and the stack no longer. */
export const returningStores = Type.Array(
  Type.Object({
    resource: Type.String({ description: 'Name of the resource in the vendor document.' }),
    resource_type: Type.String(),
    kept: Type.String({
      description: 'Id of the data that was kept last, as in `GET /v3/alm/data`. Empty: nothing is kept.',
    }),
    confirm: Type.Array(Type.String(), {
      description: 'Parameters that decide it: one of them must be in the request.',
    }),
    sentences,
  }),
  { description: 'Stores of data that a rollback brings back, each with what the request must decide.' },
);

export const deletedData = Type.Optional(
  Type.Array(
    Type.Object({
      id: Type.String({ description: 'Id of the store, as in `GET /v3/alm/data`.' }),
      resource: Type.String({ description: 'Name of the resource in the vendor document.' }),
      resource_type: Type.String(),
      kind: Type.String({ description: '`database`, `cache`, `files` or `disk`.' }),
      kept_as: Type.String({
        description: 'How the data is kept, and where to find it. Empty if it is deleted.',
      }),
      sentence: Type.String({ description: 'What becomes of it.' }),
    }),
    { description: 'The data of the stack, and what happens to it. Absent if it has none.' },
  ),
);

const keptAs =
  'AWS takes a final snapshot whose name starts with alm-mo-5447826c870e7-ab3de6gh9-tk-snapshot-databaseapp-: find it in RDS under Snapshots.';

export const deletedDataExample = [
  {
    id: 'data-5447826c870e7-aB3dE6gH9',
    resource: 'Databaseapp',
    resource_type: 'AWS::RDS::DBInstance',
    kind: 'database',
    kept_as: keptAs,
    sentence: `AWS::RDS::DBInstance Databaseapp (alm-app-1) is removed. Its data is kept: ${keptAs}`,
  },
];
