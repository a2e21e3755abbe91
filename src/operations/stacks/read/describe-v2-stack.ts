import { presentConfiguration, type V2Document } from '../../../languages/v2-configuration/document.ts';
import { findCredential, listCredentials } from '../../../store/access/credentials.ts';
import type { StackFilter } from '../../../store/stacks/stacks.ts';
import type { Actor } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import { type DescribedStack, describeStack, describeStacks } from './describe-stack.ts';

/** A stack written in v2's language, with its configuration but without secrets. */
export interface DescribedV2Stack {
  stack: DescribedStack;
  configuration: Record<string, unknown>;
  /** Label of the credential the stack uses. */
  accountName: string;
}

const withConfiguration = (stack: DescribedStack, accountName: string): DescribedV2Stack => ({
  stack,
  configuration: presentConfiguration(stack.document as V2Document),
  accountName,
});

export async function describeV2Stack(
  service: Service,
  actor: Actor,
  stackId: string,
): Promise<DescribedV2Stack> {
  const stack = await describeStack(service, actor, { stackId, language: 'v2' });
  const { accountId, vendor, credentialId } = stack;
  const credential = await findCredential(service.database.query, { accountId, vendor, id: credentialId });
  return withConfiguration(stack, credential?.label ?? '');
}

export async function describeV2Stacks(
  service: Service,
  actor: Actor,
  page: Pick<StackFilter, 'limit' | 'after'> = {},
): Promise<DescribedV2Stack[]> {
  const stacks = await describeStacks(service, actor, { language: 'v2', ...page });
  const credentials = await listCredentials(service.database.query, actor.accountId);
  const labels = new Map(credentials.map(({ vendor, id, label }) => [`${vendor} ${id}`, label]));
  return stacks.map((stack) =>
    withConfiguration(stack, labels.get(`${stack.vendor} ${stack.credentialId}`) ?? ''),
  );
}
