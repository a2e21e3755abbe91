/** Numbers in [0, 1) that only the seed decides (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Random = () => number;

/** An integer from `low` to `high`, both included. */
const integer = (random: Random, low: number, high: number): number =>
  low + Math.floor(random() * (high - low + 1));

type RequestKind = 'create' | 'update' | 'cancel' | 'delete';

export interface PlannedRequest {
  kind: RequestKind;
  /** The stack of this caller that the request is for, counted from 0. */
  stack: number;
  /** For create and update. */
  servers: number;
  /** Before it: some requests come while the stack changes, some when it is complete. */
  pauseMs: number;
}

export type Failure = 'kill' | 'restart database' | 'crash database' | 'close connections';

export interface PlannedFailure {
  kind: Failure;
  /** It comes after so many answers of the service since the last failure, and then so many milliseconds. */
  answers: number;
  delayMs: number;
}

const maxServers = 3;
/** So many stacks of a caller exist at once, so that the limits of the simulated cloud are never reached. */
const maxLiving = 12;

function requestOn(random: Random, living: number[], next: number): PlannedRequest {
  const servers = integer(random, 1, maxServers);
  const pauseMs = integer(random, 0, 30);
  const draw = random();
  if (living.length === 0 || (draw < 0.35 && living.length < maxLiving))
    return { kind: 'create', stack: next, servers, pauseMs };
  const stack = living[integer(random, 0, living.length - 1)] ?? 0;
  return { kind: draw < 0.8 ? 'update' : 'delete', stack, servers, pauseMs };
}

/** What one caller asks for, one request after the other. It never ends. */
export function* requestsOf(seed: number, caller: number): Generator<PlannedRequest, never> {
  const random = randomFrom(seed * 1000 + caller);
  let living: number[] = [];
  for (let next = 0; ; ) {
    const request = requestOn(random, living, next);
    if (request.kind === 'create') living.push(next++);
    if (request.kind === 'delete') living = living.filter((stack) => stack !== request.stack);
    yield request;
    if (request.kind === 'update' && random() < 0.5)
      yield { ...request, kind: 'cancel', pauseMs: integer(random, 0, 10) };
  }
}

const failuresOfEngine: Record<'sqlite' | 'postgres', readonly Failure[]> = {
  sqlite: ['kill'],
  postgres: ['kill', 'kill', 'restart database', 'crash database', 'close connections'],
};

/** What happens to the service and its database. It never ends. */
export function* failuresOf(seed: number, engine: 'sqlite' | 'postgres'): Generator<PlannedFailure, never> {
  const random = randomFrom(seed * 1000 + 999);
  const kinds = failuresOfEngine[engine];
  for (;;)
    yield {
      kind: kinds[integer(random, 0, kinds.length - 1)] ?? 'kill',
      answers: integer(random, 1, 150),
      delayMs: integer(random, 0, 40),
    };
}
