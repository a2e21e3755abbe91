import { isDeepStrictEqual } from 'node:util';
import type { Template } from '../document.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import { dataOutputs } from '../observe/view.ts';
import type { Region } from '../region.ts';
import { updatePolicies, withPolicies } from './deletion-policies.ts';
import { readTemplate } from './live-stack.ts';
import { requestToken } from './requests.ts';

interface Target {
  template: Template;
  version: string;
}

/**
 * CloudFormation keeps what an update removes by the policies of the template before it. Those may still be the ones of a
 * deletion with data=delete that was refused later. True: an update was sent that sets them back, which must end first.
 */
export async function keepDropped(region: Region, stack: CloudStack, target: Target): Promise<boolean> {
  const { template, version } = target;
  if (dataOutputs(stack).every((name) => template.Outputs[name] !== undefined)) return false;
  const current = await readTemplate(region, stack);
  const kept = withPolicies(current, 'keep');
  const isKept = Object.keys(current.Resources)
    .filter((id) => template.Resources[id] === undefined)
    .every((id) => isDeepStrictEqual(current.Resources[id], kept.Resources[id]));
  if (isKept) return false;
  // The token of the update to the version: if this fails, so has that version, and cancelling that cancels this.
  await updatePolicies(region, stack, { template: kept, token: requestToken('update', version, stack) });
  return true;
}
