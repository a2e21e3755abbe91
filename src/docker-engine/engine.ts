import type { Clock } from '../basics/clock.ts';
import { connect } from './connection.ts';
import { containerCalls } from './containers.ts';
import { imageCalls } from './images.ts';
import { networkCalls } from './networks.ts';
import { systemCalls } from './system.ts';
import type { Engine } from './types.ts';
import { volumeCalls } from './volumes.ts';

/** An engine behind a unix socket. Connects at the first call. */
export function openEngine({ socketPath, clock }: { socketPath: string; clock: Clock }): Engine {
  const connection = connect(socketPath);
  return {
    system: systemCalls(connection),
    networks: networkCalls(connection),
    containers: containerCalls(connection, clock),
    images: imageCalls(connection),
    volumes: volumeCalls(connection),
  };
}
