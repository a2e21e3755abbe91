import { Secret } from '../../../src/basics/secret.ts';
import { askForRights, callIam, elements, type Place } from './raw-calls.ts';

export interface Statement {
  Sid: string;
  Effect: 'Allow';
  Action: string | readonly string[];
  Resource: string | readonly string[];
  Condition?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface Policy {
  Version: string;
  Statement: readonly Statement[];
}

export const everything: Policy = {
  Version: '2012-10-17',
  Statement: [{ Sid: 'Everything', Effect: 'Allow', Action: '*', Resource: '*' }],
};

/** An IAM user with a key. Made while moto asks for no rights; from then on it does. */
export async function makeUser(place: Place, name: string, policy: Policy | null) {
  await askForRights(place, false);
  await callIam(place, 'CreateUser', { UserName: name });
  const key = await callIam(place, 'CreateAccessKey', { UserName: name });
  const [credentialId = ''] = elements(key, 'AccessKeyId');
  const [secret = ''] = elements(key, 'SecretAccessKey');
  if (policy) await givePolicy(place, name, policy);
  await askForRights(place, true);
  return { credentialId, secret: new Secret(secret) };
}

/** The one policy the user has. */
export async function givePolicy(place: Place, name: string, policy: Policy): Promise<void> {
  await askForRights(place, false);
  const document = { UserName: name, PolicyName: 'almanac', PolicyDocument: JSON.stringify(policy) };
  await callIam(place, 'PutUserPolicy', document);
  await askForRights(place, true);
}
