import { type Answer, accepted, CredentialRejected, refused } from '../../vendor.ts';
import type { Clients } from '../clients.ts';
import { callAws, errorName, toAnswer } from '../errors.ts';
import { homeRegions } from '../partitions.ts';
import { type Partition, partitions } from '../permissions/scopes.ts';

type ClientsIn = (region: string) => Clients;

/** Checks that AWS accepts the key. Every key may call GetCallerIdentity, so this does not check permissions. */
export async function verify(clientsIn: ClientsIn, role: string | null = null): Promise<Answer> {
  try {
    return await toAnswer(async () => {
      const account = await readAccount(clientsIn, role);
      return role === null ? accepted : checkRole(role, account);
    });
  } catch (cause) {
    if (cause instanceof CredentialRejected) return refused(cause.message);
    throw cause;
  }
}

/** A key is known in its own partition only. Asks the partition of the role. Without a role, asks one after the other; the first one's error counts. */
async function readAccount(clientsIn: ClientsIn, role: string | null): Promise<string> {
  const ofRole = partitions.filter((partition) => role?.startsWith(`arn:${partition}:`));
  const [first = 'aws', ...others] = ofRole.length > 0 ? ofRole : partitions;
  try {
    return await accountIn(clientsIn, first);
  } catch (cause) {
    if (!isUnknownKey(cause)) throw cause;
    for (const partition of others) {
      const account = await accountIn(clientsIn, partition).catch(() => undefined);
      if (account !== undefined) return account;
    }
    throw cause;
  }
}

async function accountIn(clientsIn: ClientsIn, partition: Partition): Promise<string> {
  const sts = await clientsIn(homeRegions[partition]).sts();
  const { Account: account = '' } = await callAws(() => sts.getCallerIdentity({}));
  return account;
}

const isUnknownKey = (cause: unknown): boolean =>
  /^(InvalidClientTokenId|UnrecognizedClientException)$/.test(errorName(cause));

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
