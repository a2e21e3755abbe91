import { rightsOf } from './calls.ts';
import { features } from './features.ts';

interface FailedCall {
  service: string;
  method: string;
}

/** The call that an error of the SDK comes from: AWS does not always name the missing permission. */
const failedCalls = new WeakMap<object, FailedCall>();

export function noteFailedCall(error: unknown, call: FailedCall): void {
  if (typeof error === 'object' && error !== null) failedCalls.set(error, call);
}

/** The permissions of the call that AWS denied, and the features they are for; empty if it is unknown. */
export function neededPermissions(error: object): string {
  const call = failedCalls.get(error);
  const rights = (call && rightsOf(call.service, call.method)) ?? [];
  if (rights.length === 0) return '';
  const actions = [...new Set(rights.map(({ action }) => action))].join(', ');
  const purposes = [...new Set(rights.map(({ feature }) => features[feature]))].join('; ');
  return `Needed for ${purposes}: ${actions}. The command \`almanac aws-policy\` prints the policy of a key.`;
}
