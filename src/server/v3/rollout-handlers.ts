import type { SuccessOf } from '../../contract/route.ts';
import * as rollouts from '../../contract/v3/rollouts.ts';
import type { Actor } from '../../operations/access/access.ts';
import {
  type DescribedRollout,
  type RolloutInstance,
  readRollouts,
} from '../../operations/rollouts/read-rollouts.ts';
import { returnRollout } from '../../operations/rollouts/return-rollout.ts';
import type { Service } from '../../operations/service.ts';
import { runIdempotent } from '../../operations/stacks/submit/write-conditions.ts';
import type { Handlers } from '../http/binding.ts';
import { presentSubmitted } from '../shared/present-stack.ts';
import { writeConditions } from '../shared/write-conditions.ts';

type Presented = SuccessOf<typeof rollouts.listRollouts>['rollouts'][number];

const timeOf = (at: number | null | undefined): string | null =>
  at === null || at === undefined ? null : new Date(at).toISOString();

const presentInstance = ({
  instanceId,
  address,
  state,
  report,
}: RolloutInstance): Presented['instances'][number] => ({
  instance_id: instanceId,
  address,
  state,
  revision: report?.revision ?? 0,
  serving_revision: report?.serving_revision ?? 0,
  since: timeOf(report?.since),
  reason: report?.reason ?? '',
  last_lines: report?.last_lines ?? '',
  image: report?.image ?? '',
  digest: report?.digest ?? '',
  reported_at: timeOf(report?.heard_at),
});

const presentRollout = ({ row, instances }: DescribedRollout): Presented => ({
  stack_id: row.stack_id,
  flag: row.flag,
  revision: row.revision,
  version_id: row.version_id,
  image: row.image,
  cause: row.cause,
  state: row.state,
  began_at: new Date(row.began_at).toISOString(),
  deadline_at: timeOf(row.deadline_at),
  ended_at: timeOf(row.ended_at),
  wanted: row.wanted,
  serving: row.serving,
  failing: row.failing,
  reason: row.reason,
  last_lines: row.last_lines,
  instances: instances.map(presentInstance),
});

export const rolloutHandlers = (service: Service): Handlers<typeof rollouts.rolloutRoutes, Actor> => ({
  listRollouts: async ({ actor, params, query }) => {
    const { flag, version_id: versionId, limit } = query;
    const found = await readRollouts(service, actor, { stackId: params.stack_id, flag, versionId, limit });
    return { rollouts: found.map(presentRollout) };
  },
  returnRollout: async (input) => {
    const { actor, params } = input;
    const conditions = writeConditions(rollouts.returnRollout, input);
    const submitted = await runIdempotent(service, actor, {
      conditions,
      write: () => returnRollout(service, actor, { stackId: params.stack_id, conditions }),
    });
    return presentSubmitted('UPDATE_IN_PROGRESS', submitted);
  },
});
