import { offsetTime } from '../../../basics/clock.ts';
import type * as drift from '../../../contract/v3/cloud/drift.ts';
import type { Actor } from '../../../operations/access/access.ts';
import type { Service } from '../../../operations/service.ts';
import { readDrift, startDriftCheck } from '../../../operations/stacks/read/drift.ts';
import type { Handlers } from '../../http/binding.ts';

export const driftHandlers = (service: Service): Handlers<typeof drift.driftRoutes, Actor> => ({
  startDriftCheck: async ({ actor, params }) => {
    await startDriftCheck(service, actor, params.stack_id);
    return { status: 'success', stack_id: params.stack_id };
  },
  readDrift: async ({ actor, params }) => {
    const { state, checkedAt, reason, resources } = await readDrift(service, actor, params.stack_id);
    return {
      stack_id: params.stack_id,
      state,
      checked_at: checkedAt === null ? null : offsetTime(checkedAt),
      reason,
      resources: resources.map(({ resource, resourceType, kind, members }) => ({
        resource,
        resource_type: resourceType,
        kind,
        members: [...members],
      })),
    };
  },
});
