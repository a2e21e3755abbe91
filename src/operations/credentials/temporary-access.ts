import { Failure } from '../../basics/failure.ts';
import type { Actor } from '../access/access.ts';
import { findStackOfAgent } from '../agents/stack-of-agent.ts';
import type { Service } from '../service.ts';

export interface TemporaryAccess {
  keyId: string;
  secret: string;
  sessionToken: string;
}

/** Always empty, because no vendor issues temporary access yet. Agents require a response before they read their configuration. */
export async function readTemporaryAccess(
  service: Service,
  actor: Actor,
  requestedStackId: string | undefined,
): Promise<TemporaryAccess> {
  const stackId = requestedStackId || (actor.kind === 'stack' ? actor.stackId : undefined);
  if (!stackId) throw new Failure('invalid_request', 'stack_id not specified');
  await findStackOfAgent(service.database.query, actor, { stackId, purpose: 'read' });
  return { keyId: '', secret: '', sessionToken: '' };
}
