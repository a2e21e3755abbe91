import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../basics/failure.ts';
import type { MemoryRoom } from '../../basics/memory-room.ts';
import { bodyLimit } from '../http/request-body.ts';

export interface MemoryOptions<A> {
  room: MemoryRoom;
  accountOf: (actor: A) => string;
}

/** Others take less than a request without a body does. */
const smallBody = 4096;
/** What a request takes in the main thread, as a multiple of its body: measured with previews of 0.9 MB, which take 3.5 MB. */
const perByte = 4;
const retryAfter = 5;

/** Longer bodies are refused without being read. */
const lengthOf = (headers: IncomingHttpHeaders): number =>
  headers['transfer-encoding'] === undefined
    ? Math.min(Number(headers['content-length'] ?? 0), bodyLimit)
    : bodyLimit;

const noMemory = (): Failure =>
  new Failure('unavailable', 'The server has too little memory for this request at the moment', {
    description: `Nothing was changed. Try again in ${retryAfter} seconds, or ask the operator of this server for more memory.`,
    retryAfter,
  });

/** Refuses bodies for which there is no memory, after their sender is known and before they are read. */
export const holdMemory = <A>(app: FastifyInstance, { room, accountOf }: MemoryOptions<A>): void => {
  app.addHook('preParsing', ({ headers, actor }, reply, ...[payload, done]) => {
    const length = lengthOf(headers);
    // A caller that has left while it was authenticated sends nothing, and its end was announced already.
    if (length <= smallBody || reply.raw.destroyed || reply.raw.closed) return done(null, payload);
    const giveBack = room.hold(actor ? accountOf(actor as A) : '', length * perByte);
    if (!giveBack) return done(noMemory());
    reply.raw.once('close', giveBack);
    done(null, payload);
  });
};
