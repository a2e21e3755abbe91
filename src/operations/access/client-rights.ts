import { Failure, notFound } from '../../basics/failure.ts';
import type { ClientKind } from '../../model/client-kinds.ts';
import { type ApiClientRow, findApiClient } from '../../store/access/accounts.ts';
import { setClientKind } from '../../store/access/api-clients.ts';
import { deleteClientRole, insertClientRole } from '../../store/access/client-roles.ts';
import type { Query } from '../../store/database/database.ts';
import type { Service } from '../service.ts';
import { changeAccess } from './access-lock.ts';
import type { Actor } from './actor.ts';
import { shownRoleId, storedRoleId } from './default-role.ts';
import { roleToAttach } from './role-attachments.ts';

/** A client of another account does not exist for the caller. */
export async function ownClient(query: Query, accountId: string, id: string): Promise<ApiClientRow> {
  const client = await findApiClient(query, id);
  if (client?.account_id !== accountId) throw notFound('API client', id);
  return client;
}

/**
 * Tokens keep the rights they were issued with, so those of the old kind are revoked; roles are detached, so that a client that
 * becomes a service again starts without rights.
 */
export async function changeClientKind(
  service: Service,
  { accountId }: Actor,
  { id, kind }: { id: string; kind: ClientKind },
): Promise<void> {
  await changeAccess(service, accountId, async (query) => {
    const client = await ownClient(query, accountId, id);
    if (client.kind !== kind) await setClientKind(query, client, kind);
  });
}

interface ClientAndRole {
  clientId: string;
  roleId: string;
}

/** Attaching the same role again changes nothing. Returns the id of the role. */
export const attachClientRole = (
  service: Service,
  { accountId }: Actor,
  { clientId, roleId }: ClientAndRole,
): Promise<string> =>
  changeAccess(service, accountId, async (query) => {
    const client = await ownClient(query, accountId, clientId);
    if (client.kind !== 'service')
      throw new Failure('conflict', `API client ${clientId} is of kind ${client.kind} and has no roles`, {
        description: 'Roles decide for clients of kind service only. Change its kind first.',
      });
    const role = await roleToAttach(query, accountId, roleId);
    await insertClientRole(query, {
      client_id: clientId,
      role_id: role.id,
      account_id: accountId,
      created_at: service.clock.now(),
    });
    return shownRoleId(accountId, role.id);
  });

/** Returns the id of the role. */
export const detachClientRole = (
  service: Service,
  { accountId }: Actor,
  { clientId, roleId }: ClientAndRole,
): Promise<string> =>
  changeAccess(service, accountId, async (query) => {
    await ownClient(query, accountId, clientId);
    const stored = storedRoleId(accountId, roleId);
    if (!(await deleteClientRole(query, clientId, stored)))
      throw new Failure('not_found', `API client ${clientId} does not have role ${roleId}`, {
        description: 'GET /v3/client lists the roles of each client.',
      });
    return shownRoleId(accountId, stored);
  });
