import { type Answer, accepted, refused, type StackOnVendor } from '../../vendor.ts';
import { CloudError, toAnswer } from '../errors.ts';
import type { Region } from '../region.ts';
import { readLoadBalancers } from './groups.ts';
import { findStackInstance, replaceMember } from './stack-instance.ts';

/** A spot server is reclaimed minutes after its notice. So it gets no new requests, and its group replaces it at once. */
export const replaceInstance = (region: Region, { id }: StackOnVendor, instanceId: string): Promise<Answer> =>
  toAnswer(async () => {
    const instance = await findStackInstance(region, id, instanceId);
    if (!instance) return refused(`There is no instance ${instanceId} in this stack.`);
    if (instance.leaving) return accepted;
    if (instance.group === undefined)
      return refused(`Instance ${instanceId} is not in a scaling group, so nothing would replace it.`);
    for (const balancer of await readLoadBalancers(region, instance.group))
      await stopRequests(region, balancer, instanceId);
    await replaceMember(region, instance);
    return accepted;
  });

/** Ignores rejections: the group also takes the server out of its load balancers when it removes it, only later. */
async function stopRequests({ clients }: Region, balancer: string, ServerId: string): Promise<void> {
  try {
    await clients.call({
      service: 'slb',
      action: 'RemoveBackendServers',
      query: { LoadBalancerId: balancer, BackendServers: JSON.stringify([{ ServerId }]) },
    });
  } catch (cause) {
    if (!(cause instanceof CloudError)) throw cause;
  }
}
