import { patiently } from './steps.ts';
import type { OpenStackWorld } from './world.ts';

/** Everything that a stack leaves in a project, counted in the services themselves. */
export async function countAll({ cloud }: OpenStackWorld): Promise<Record<string, number>> {
  const lists = {
    networks: ['network', '/v2.0/networks?shared=False&router%3Aexternal=False&fields=id'],
    routers: ['network', '/v2.0/routers?fields=id'],
    ports: ['network', '/v2.0/ports?fields=id'],
    floatingips: ['network', '/v2.0/floatingips?fields=id'],
    security_groups: ['network', '/v2.0/security-groups?fields=id'],
    stacks: ['orchestration', '/stacks'],
    servers: ['compute', '/servers'],
    keypairs: ['compute', '/os-keypairs'],
    volumes: ['volumev3', '/volumes'],
    loadbalancers: ['load-balancer', '/v2/lbaas/loadbalancers?fields=id'],
    instances: ['database', '/instances'],
  } as const;
  const counted: Record<string, number> = {};
  for (const [name, [service, path]] of Object.entries(lists)) {
    const body = await patiently(() => cloud.read<Record<string, unknown[]>>({ service, path }));
    counted[name] = body[name]?.length ?? -1;
  }
  return counted;
}
