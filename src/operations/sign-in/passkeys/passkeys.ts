import { notFound } from '../../../basics/failure.ts';
import {
  deletePasskey,
  listPasskeys,
  type OwnedPasskey,
  type PasskeyRow,
  renamePasskey,
} from '../../../store/access/passkeys.ts';
import type { Actor } from '../../access/access.ts';
import { selfOrAsMaster, signedInUser } from '../../access/users.ts';
import type { Service } from '../../service.ts';

/** The passkeys of the caller, or for the master those of any user. */
export async function describePasskeys(
  service: Service,
  actor: Actor,
  username: string | null,
): Promise<PasskeyRow[]> {
  const userId =
    username === null ? signedInUser(actor).userId : (await selfOrAsMaster(service, actor, username)).id;
  return listPasskeys(service.database.query, userId);
}

/** The master removes the passkey of any user; others only their own. */
function owned(actor: Actor, id: string): OwnedPasskey {
  const { accountId, userId, master } = signedInUser(actor);
  return { accountId, userId: master ? null : userId, id };
}

export async function changePasskeyName(
  service: Service,
  actor: Actor,
  { id, name }: { id: string; name: string },
): Promise<void> {
  if (!(await renamePasskey(service.database.query, owned(actor, id), name))) throw notFound('Passkey', id);
}

export async function removePasskey(service: Service, actor: Actor, id: string): Promise<void> {
  if (!(await deletePasskey(service.database.query, owned(actor, id)))) throw notFound('Passkey', id);
}
