import { createHash } from 'node:crypto';
import { EngineError } from '../../../docker-engine/errors.ts';
import type { Balancer } from '../document.ts';
import type { Create } from '../plan/steps.ts';

/** Below those the system gives to outgoing connections. */
const first = 20_000;
const count = 12_000;

/** After so many tries the engine may choose, which it does anew at every start. */
const tries = 20;

/**
 * On which ports of the machine a balancer is reached. An engine that is left to choose gives another port at every start,
 * so we choose: where the predecessor was, else by the stack and the balancer, so that its address stays when it restarts.
 */
export const hostPortChoices = (
  stackId: string,
  balancer: Balancer,
  { hostPorts }: Create,
): Create['hostPorts'][] => {
  const seed = (port: number) =>
    createHash('sha256').update(`${stackId} ${balancer.name} ${port}`).digest().readUInt32BE(0);
  const choice = (turn: number) =>
    Object.fromEntries(
      balancer.listeners.map(({ port }) => [
        port,
        (turn === 0 ? hostPorts[port] : undefined) ?? first + ((seed(port) + turn) % count),
      ]),
    );
  return [...Array.from({ length: tries }, (_, turn) => choice(turn)), {}];
};

export const isPortTaken = (error: unknown): boolean =>
  error instanceof EngineError &&
  /port is already allocated|address already in use|ports are not available/i.test(error.message);
