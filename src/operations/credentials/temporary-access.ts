import { Failure } from '../../basics/failure.ts';
import type { Actor } from '../access/access.ts';
import { findStackOfAgent } from '../agents/stack-of-agent.ts';
import type { Service } from '../service.ts';

export interface TemporaryAccess {
  keyId: string;
  secret: string;
  sessionToken: string;
}

/** No vendor lends access yet. Agents insist on an answer before they read their configuration, so they get an empty one. */
export async function readTemporaryAccess(
  service: Service,
  actor: Actor,
  givenStackId: string | undefined,
): Promise<TemporaryAccess> {
  const stackId = givenStackId || (actor.kind === 'stack' ? actor.stackId : undefined);
  if (!stackId) throw new Failure('invalid_request', 'stack_id not specified');
  await findStackOfAgent(service.database.query, actor, stackId, 'read');
  return { keyId: '', secret: '', sessionToken: '' };
}
