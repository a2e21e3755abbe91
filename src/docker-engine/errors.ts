/** An error response of the engine. `message` is the engine's own. */
export class EngineError extends Error {
  readonly status: number;
  /** The request, such as `POST /containers/create`. */
  readonly call: string;

  constructor(status: number, message: string, call: string) {
    super(message);
    this.name = 'EngineError';
    this.status = status;
    this.call = call;
  }
}

/** No response, or an incomplete one: the outcome of the request is unknown. */
export class EngineUnreachable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'EngineUnreachable';
  }
}

/** The engine failed, or the connection to it did. Any other error is a bug of ours. */
export const isEngineFailure = (error: unknown): error is EngineError | EngineUnreachable =>
  error instanceof EngineError || error instanceof EngineUnreachable;

/** Docker has specific statuses for most errors. Podman responds with 500 to many, so its message has to be matched. */
const matches = (error: unknown, statuses: readonly number[], message: RegExp): boolean =>
  error instanceof EngineError &&
  (statuses.includes(error.status) || (error.status === 500 && message.test(error.message)));

/** The container, network, image or volume does not exist. */
export const isNotFound = (error: unknown): boolean =>
  matches(error, [404], /no such (container|network|image|volume|object)|network not found/i);

/** The name is taken, or the container is not in a state that allows the request. */
export const isConflict = (error: unknown): boolean =>
  matches(error, [409], /already (in use|exists|used)|is not running|state improper/i);

/** Another container has the fixed address. */
export const isAddressTaken = (error: unknown): boolean =>
  error instanceof EngineError &&
  /address already in use|ip address .* is already allocated|already allocated/i.test(error.message);

/** A container uses the network, volume or image. */
export const isInUse = (error: unknown): boolean =>
  error instanceof EngineError &&
  error.status >= 400 &&
  /active endpoints|is in use|being used|using its|in use by/i.test(error.message);

/** The result of a call; undefined: its object does not exist. */
export async function ifFound<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Makes a create call repeatable. False: the name is already taken. */
export async function ifNew(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}
