import type { Clients } from '../clients.ts';
import { observing } from '../errors.ts';
import { isLastPage, type PageAnswer } from './pages.ts';

/** A server in a group. */
export interface Member {
  InstanceId?: string;
  ScalingGroupId?: string;
  LifecycleState?: string;
}

interface MembersAnswer extends PageAnswer {
  ScalingInstances?: { ScalingInstance?: readonly Member[] };
}

const pageSize = 50;
const maxPages = 40;

/** Members of groups: those of one group, one server, or all of the region. */
export async function readMembers(
  clients: Clients,
  query: { ScalingGroupId?: string; InstanceId?: readonly string[] },
): Promise<Member[]> {
  const members: Member[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const answer = await observing(() =>
      clients.call<MembersAnswer>({
        service: 'ess',
        action: 'DescribeScalingInstances',
        query: { ...query, PageNumber: page, PageSize: pageSize },
      }),
    );
    const rows = answer.ScalingInstances?.ScalingInstance ?? [];
    members.push(...rows);
    if (isLastPage(answer, rows, { page, size: pageSize })) break;
  }
  return members;
}

export const isLeaving = ({ LifecycleState = '' }: Member): boolean => LifecycleState.startsWith('Removing');

export const listRemoving = async (clients: Clients): Promise<ReadonlySet<string>> =>
  new Set((await readMembers(clients, {})).filter(isLeaving).map(({ InstanceId = '' }) => InstanceId));
