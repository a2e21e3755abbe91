import { createHash } from 'node:crypto';
import { EngineError } from '../../../docker-engine/errors.ts';
import type { Balancer } from '../document.ts';
import type { Create } from '../plan/steps.ts';

/** Below the range the system uses for outgoing connections. */
const firstPort = 20_000;
const portCount = 12_000;

/** After this many attempts the engine chooses, which it does again at every start. */
const maxAttempts = 20;

/**
 * Candidates for a balancer's ports on the machine. An engine chooses another port at every start, so we choose: the
 * ports of the previous container, else ports derived from the stack and the balancer. The address survives restarts.
 */
export const hostPortChoices = (
  stackId: string,
  balancer: Balancer,
  { hostPorts }: Create,
): Create['hostPorts'][] => {
  const seed = (port: number) =>
    createHash('sha256').update(`${stackId} ${balancer.name} ${port}`).digest().readUInt32BE(0);
  const choice = (attempt: number) =>
    Object.fromEntries(
      balancer.listeners.map(({ port }) => [
        port,
        (attempt === 0 ? hostPorts[port] : undefined) ?? firstPort + ((seed(port) + attempt) % portCount),
      ]),
    );
  return [...Array.from({ length: maxAttempts }, (_, attempt) => choice(attempt)), {}];
};

export const isPortTaken = (error: unknown): boolean =>
  error instanceof EngineError &&
  /port is already allocated|address already in use|ports are not available/i.test(error.message);
