import type { Static } from 'typebox';
import type * as containers from '../../contract/v3/containers.ts';
import type { Actor } from '../../operations/access/access.ts';
import {
  type DescribedContainer,
  describeContainer,
  describeContainers,
} from '../../operations/agents/containers.ts';
import type { Service } from '../../operations/service.ts';
import type { Handlers } from '../http/binding.ts';

type Presented = Static<typeof containers.container>;

const presentApplication = ({ application }: DescribedContainer): Partial<Presented> => {
  if (!application) return {};
  const { report, state } = application;
  return {
    image: report.image,
    digest: report.digest,
    state,
    since: new Date(report.since).toISOString(),
    reason: report.reason,
  };
};

const presentContainer = (container: DescribedContainer): Presented => ({
  container_id: container.container_id,
  agent_id: container.agent_id,
  update_time: String(Math.floor(container.updated_at / 1000)),
  stack_id: container.stack_id,
  instance_id: container.instance_id,
  status: container.status,
  ...presentApplication(container),
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
