import type { Static } from 'typebox';
import type * as containers from '../../contract/v3/containers.ts';
import type { Actor } from '../../operations/access/access.ts';
import { describeContainer, describeContainers } from '../../operations/agents/containers.ts';
import type { Service } from '../../operations/service.ts';
import type { Handlers } from '../http/binding.ts';

type Container = Awaited<ReturnType<typeof describeContainer>>;

const presentContainer = (row: Container): Static<typeof containers.container> => ({
  container_id: row.container_id,
  agent_id: row.agent_id,
  update_time: String(Math.floor(row.updated_at / 1000)),
  stack_id: row.stack_id,
  instance_id: row.instance_id,
  status: row.status,
});

export const containerHandlers = (service: Service): Handlers<typeof containers.containerRoutes, Actor> => ({
  listContainers: async ({ actor, query }) => {
    const found = await describeContainers(service, actor, {
      stackId: query.stack_id,
      instanceId: query.instance_id,
    });
    return found.map(presentContainer);
  },
  describeContainer: async ({ actor, params }) =>
    presentContainer(await describeContainer(service, actor, params.container_id)),
});
