import type { SuccessOf } from '../../contract/route.ts';
import * as data from '../../contract/v3/data.ts';
import type { Actor } from '../../operations/access/access.ts';
import { forgetData, restoreData } from '../../operations/data/change-data.ts';
import {
  type DescribedStore,
  findKeptData,
  listData,
  previewDeletion,
} from '../../operations/data/read-data.ts';
import type { Service } from '../../operations/service.ts';
import { runIdempotent } from '../../operations/stacks/submit/write-conditions.ts';
import type { Handlers } from '../http/binding.ts';
import { decodeCursor, oneMore, pageOf } from '../shared/page-cursor.ts';
import { presentSubmitted } from '../shared/present-stack.ts';
import { dataWish, writeConditions } from '../shared/write-conditions.ts';
import { presentAffected } from './present/versions.ts';

type Presented = SuccessOf<typeof data.describeData>;

const timeOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

const keptOf = ({ row }: DescribedStore): Presented['kept'] =>
  row.kept_since === null
    ? null
    : {
        reference: row.reference ?? '',
        where: row.kept_where,
        since: timeOf(row.kept_since),
        until: timeOf(row.kept_until),
        restore: `alm data restore --id ${row.id}`,
      };

const presentStore = (store: DescribedStore): Presented => {
  const { row, stack, isProtected, releasedBy } = store;
  return {
    id: row.id,
    stack_id: row.stack_id,
    nickname: stack.nickname,
    vendor: stack.vendor,
    region: stack.region,
    kind: row.kind,
    name: row.name,
    resource: row.resource,
    resource_type: row.resource_type,
    store_id: row.store_id,
    size_gib: row.size_gib,
    state: row.state,
    protected: isProtected,
    since: timeOf(row.since),
    version_id: row.version_id,
    restored_from: row.restored_from,
    kept: keptOf(store),
    ended_at: timeOf(row.ended_at),
    ended_by: row.ended_by,
    released_by: releasedBy,
  };
};

export const dataHandlers = (service: Service): Handlers<typeof data.dataRoutes, Actor> => ({
  listData: async ({ actor, query, setHeader }) => {
    const { stack_id: stackId, state, kind, limit, cursor } = query;
    const after = cursor === undefined ? undefined : decodeCursor(cursor);
    const found = await listData(service, actor, { stackId, state, kind, after, limit: oneMore(limit) });
    const request = { path: data.listData.path, query, limit, setHeader };
    const page = pageOf(found, request, ({ row }) => ({ createdAt: row.since, id: row.id }));
    return page.map(presentStore);
  },
  describeData: async ({ actor, params }) => presentStore(await findKeptData(service, actor, params.data_id)),
  forgetData: async ({ actor, params }) => presentStore(await forgetData(service, actor, params.data_id)),
  restoreData: async (input) => {
    const { actor, params } = input;
    const conditions = writeConditions(data.restoreData, input);
    const submitted = await runIdempotent(service, actor, {
      conditions,
      write: () => restoreData(service, actor, { id: params.data_id, conditions }),
    });
    return presentSubmitted('UPDATE_IN_PROGRESS', submitted);
  },
  previewDeletion: async ({ actor, params, query }) => {
    const wish = dataWish(query.data);
    const stores = await previewDeletion(service, actor, { stackId: params.stack_id, data: wish });
    return { stack_id: params.stack_id, data: stores.map(presentAffected) };
  },
});
