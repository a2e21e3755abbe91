import type { Problem } from '../../../basics/problem.ts';
import type { AlicloudDocument, ResourceType } from '../document.ts';
import { type QuotaName, type Quotas, quotaNames } from './cloud-facts.ts';

const uses: Readonly<Partial<Record<ResourceType, QuotaName>>> = {
  'ALIYUN::ECS::VPC': 'networks',
  'ALIYUN::VPC::EIP': 'addresses',
  'ALIYUN::SLB::LoadBalancer': 'loadBalancers',
};

const countIn = (document: AlicloudDocument | null, name: QuotaName): number => {
  if (!document) return 0;
  if (name === 'stacks') return 1;
  return Object.values(document.template.Resources).filter(({ Type }) => uses[Type] === name).length;
};

const words: Readonly<Record<QuotaName, string>> = {
  networks: 'networks (VPC)',
  addresses: 'public addresses (EIP)',
  loadBalancers: 'load balancers (CLB)',
  stacks: 'stacks (ROS)',
};

/** What the account may not have in addition. A version that needs no more of something is never refused for it. */
export const quotaProblems = (
  after: AlicloudDocument,
  before: AlicloudDocument | null,
  quotas: Quotas,
): Problem[] =>
  quotaNames.flatMap((name) => {
    const quota = quotas[name];
    const more = countIn(after, name) - countIn(before, name);
    if (!quota || more <= 0 || quota.used + more <= quota.limit) return [];
    const free = Math.max(0, quota.limit - quota.used);
    const message = `The account has reached its limit of ${words[name]} in ${after.region}: it may have ${quota.limit}, ${free} of them are free, and the stack needs ${more} more. Ask for more, or delete a stack.`;
    return [{ path: 'vendor', message }];
  });
