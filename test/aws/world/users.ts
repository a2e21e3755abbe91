import { Secret } from '../../../src/basics/secret.ts';
import type { Policy } from '../../../src/vendors/aws/permissions/policy.ts';
import { callIam, checkPermissions, elements, type Place } from './raw-calls.ts';

export const everything: Policy = {
  Version: '2012-10-17',
  Statement: [{ Sid: 'Everything', Effect: 'Allow', Action: '*', Resource: '*' }],
};

/** Creates an IAM user with a key, then switches permission checks on. */
export async function makeUser(place: Place, name: string, policy: Policy | null) {
  await checkPermissions(place, false);
  await callIam(place, 'CreateUser', { UserName: name });
  const key = await callIam(place, 'CreateAccessKey', { UserName: name });
  const [credentialId = ''] = elements(key, 'AccessKeyId');
  const [secret = ''] = elements(key, 'SecretAccessKey');
  if (policy) await givePolicy(place, name, policy);
  await checkPermissions(place, true);
  return { credentialId, secret: new Secret(secret) };
}

/** Replaces the only policy of the user. */
export async function givePolicy(place: Place, name: string, policy: Policy): Promise<void> {
  await checkPermissions(place, false);
  const document = { UserName: name, PolicyName: 'almanac', PolicyDocument: JSON.stringify(policy) };
  await callIam(place, 'PutUserPolicy', document);
  await checkPermissions(place, true);
}
