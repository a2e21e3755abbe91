import type { FollowedStack } from '../../../store/stacks/followed-stacks.ts';
import { type Actor, actorBehind } from '../../access/access.ts';
import { lastingHash } from '../../access/actor.ts';
import { decideOnStack } from '../../access/permission.ts';
import type { Service } from '../../service.ts';

/**
 * Checks who may still follow events: a token may have expired, a user or its roles may have changed. Reads each token and
 * decides about each stack once, however many streams there are, so make a new one for every round of checks.
 */
export class FollowAccess {
  readonly #service: Service;
  readonly #actors = new Map<string, Actor | null>();
  readonly #decisions = new Map<string, boolean>();

  constructor(service: Service) {
    this.#service = service;
  }

  async allows(actor: Actor, stack: FollowedStack): Promise<boolean> {
    const hash = lastingHash(actor);
    if (actor.kind === 'stack' || hash === undefined) return true;
    const key = `${hash} ${stack.id}`;
    const decided = this.#decisions.get(key);
    if (decided !== undefined) return decided;
    const now = await this.currentActor(actor);
    const allowed = now !== null && decideOnStack(now, 'stack:describeStack', stack).allowed;
    this.#decisions.set(key, allowed);
    return allowed;
  }

  /** The actor with the rights that it has now; null: its token is no longer valid. */
  async currentActor(actor: Actor): Promise<Actor | null> {
    const hash = lastingHash(actor);
    if (actor.kind === 'stack' || hash === undefined) return actor;
    const known = this.#actors.get(hash);
    if (known !== undefined) return known;
    const current = await actorBehind(this.#service, hash);
    this.#actors.set(hash, current);
    return current;
  }
}
