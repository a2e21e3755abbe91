import { presentConfiguration, type V2Document } from '../languages/v2-configuration/document.ts';
import { findCredential } from '../store/credentials.ts';
import type { Actor } from './access.ts';
import { type DescribedStack, describeStack, describeStacks } from './describe-stack.ts';
import type { Service } from './service.ts';

/** A stack written in v2's language, with its configuration less every secret. */
export interface DescribedV2Stack {
  stack: DescribedStack;
  configuration: Record<string, unknown>;
  /** The label of the credential it uses. */
  accountName: string;
}

async function inItsLanguage(service: Service, stack: DescribedStack): Promise<DescribedV2Stack> {
  const { accountId, vendor, credentialId } = stack;
  const credential = await findCredential(service.database.query, accountId, vendor, credentialId);
  const configuration = presentConfiguration(stack.document as V2Document);
  return { stack, configuration, accountName: credential?.label ?? '' };
}

export const describeV2Stack = async (
  service: Service,
  actor: Actor,
  stackId: string,
): Promise<DescribedV2Stack> => inItsLanguage(service, await describeStack(service, actor, stackId, 'v2'));

export async function describeV2Stacks(service: Service, actor: Actor): Promise<DescribedV2Stack[]> {
  const stacks = await describeStacks(service, actor, { language: 'v2' });
  return Promise.all(stacks.map((stack) => inItsLanguage(service, stack)));
}
