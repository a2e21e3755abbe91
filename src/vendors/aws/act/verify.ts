import { type Answer, accepted, CredentialRejected, refused } from '../../vendor.ts';
import type { Clients } from '../clients.ts';
import { callAws, toAnswer } from '../errors.ts';

/** Checks that AWS accepts the key. Every key may call GetCallerIdentity, so this does not check permissions. */
export async function verify(clients: Clients, role: string | null = null): Promise<Answer> {
  try {
    return await toAnswer(async () => {
      const sts = await clients.sts();
      const { Account: account = '' } = await callAws(() => sts.getCallerIdentity({}));
      return role === null ? accepted : checkRole(role, account);
    });
  } catch (cause) {
    if (cause instanceof CredentialRejected) return refused(cause.message);
    throw cause;
  }
}

const roleArn = /^arn:aws[a-z-]*:iam::(\d{12}):role\/.+$/;

function checkRole(role: string, account: string): Answer {
  const owner = roleArn.exec(role)?.[1];
  if (owner === undefined)
    return refused(`Invalid role: ${role}. Use the form arn:aws:iam::123456789012:role/name.`);
  if (owner === account) return accepted;
  return refused(
    `The role belongs to account ${owner}, but the key belongs to account ${account}. ` +
      'Use a role of the same account as the key.',
  );
}
