import { type Answer, accepted, CredentialRejected, refused } from '../../vendor.ts';
import type { Clients } from '../clients.ts';
import { toAnswer } from '../errors.ts';

const roleArn = /^acs:ram::(\d+):role\/([A-Za-z0-9.-]{1,64})$/;
const roleName = /^[A-Za-z0-9.-]{1,64}$/;

/** The name of a role, from its name or ARN: ROS takes the name. */
export const roleNameOf = (role: string | null): string | null =>
  role === null ? null : (roleArn.exec(role)?.[2] ?? role);

/** Checks that the cloud accepts the key. Every key may call GetCallerIdentity, so this does not check permissions. */
export async function verify(clients: Clients, role: string | null): Promise<Answer> {
  try {
    return await toAnswer(async () => {
      const { AccountId = '' } = await clients.call<{ AccountId?: string }>({
        service: 'sts',
        action: 'GetCallerIdentity',
      });
      return role === null ? accepted : checkRole(role, AccountId);
    });
  } catch (cause) {
    if (cause instanceof CredentialRejected) return refused(cause.message);
    throw cause;
  }
}

function checkRole(role: string, account: string): Answer {
  if (roleName.test(role)) return accepted;
  const owner = roleArn.exec(role)?.[1];
  if (owner === undefined)
    return refused(
      `Invalid role: ${role}. Use the name of a RAM role, or the form acs:ram::<account>:role/<name>.`,
    );
  if (owner === account) return accepted;
  return refused(
    `The role belongs to account ${owner}, but the key belongs to account ${account}. ` +
      'Use a role of the same account as the key.',
  );
}
