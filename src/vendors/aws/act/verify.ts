import { type Answer, accepted, refused } from '../../vendor.ts';
import type { Clients } from '../clients.ts';
import { act, ask } from '../errors.ts';

/** Any key may ask who it is, so this tells keys AWS knows from those it does not, and nothing about their rights. */
export async function verify(clients: Clients, role: string | null = null): Promise<Answer> {
  return act(async () => {
    const sts = await clients.sts();
    const { Account: account = '' } = await ask(() => sts.getCallerIdentity({}));
    return role === null ? accepted : checkRole(role, account);
  });
}

const roleArn = /^arn:aws[a-z-]*:iam::(\d{12}):role\/.+$/;

function checkRole(role: string, account: string): Answer {
  const owner = roleArn.exec(role)?.[1];
  if (owner === undefined)
    return refused(`${role} is no role; one is written like arn:aws:iam::123456789012:role/name.`);
  if (owner === account) return accepted;
  return refused(
    `The role belongs to account ${owner} and the key to account ${account}; ` +
      'CloudFormation works with roles of the account the key belongs to.',
  );
}
