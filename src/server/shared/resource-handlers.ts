import { offsetTime } from '../../basics/clock.ts';
import type { SuccessOf } from '../../contract/route.ts';
import type { listResources, resourceRoutes } from '../../contract/v3/cloud/resources.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { type DescribedResource, readResources } from '../../operations/stacks/read/read-resources.ts';
import type { Handlers } from '../http/binding.ts';

type PresentedResource = SuccessOf<typeof listResources>['resources'][number];

const presentResource = (resource: DescribedResource): PresentedResource => ({
  name: resource.name,
  type: resource.type,
  physical_id: resource.physicalId,
  layer: resource.layer,
  kind: resource.kind,
  status: resource.status,
  status_reason: resource.event?.message ?? '',
  status_changed_at: resource.event ? offsetTime(resource.event.at) : null,
  leaving: resource.leaving,
  depends_on: [...resource.dependsOn],
});

/** In both API versions, each for its own stacks. */
export const resourceHandlers = (
  service: Service,
  language: 'v2' | 'v3',
): Handlers<typeof resourceRoutes, Actor> => ({
  listStackResources: async ({ actor, params }) => {
    const { stack, resources } = await readResources(service, actor, { stackId: params.stack_id, language });
    return {
      stack_id: stack.id,
      stack_status: stack.status,
      operation: stack.operation,
      version_id: stack.desired_version,
      event_id: stack.event_count,
      resources: resources.map(presentResource),
    };
  },
});
