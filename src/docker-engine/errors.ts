/** The engine answered no. `message` is in its own words. */
export class EngineError extends Error {
  readonly status: number;
  /** What was asked, like `POST /containers/create`. */
  readonly call: string;

  constructor(status: number, message: string, call: string) {
    super(message);
    this.name = 'EngineError';
    this.status = status;
    this.call = call;
  }
}

/** Nobody answered, or the answer broke off: nothing is known about what happened. */
export class EngineUnreachable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'EngineUnreachable';
  }
}

/** Docker has a status of its own for most troubles; Podman answers 500 to many of them, so its words must do. */
const says = (error: unknown, statuses: readonly number[], words: RegExp): boolean =>
  error instanceof EngineError &&
  (statuses.includes(error.status) || (error.status === 500 && words.test(error.message)));

/** There is no such container, network, image or volume. */
export const isNotFound = (error: unknown): boolean =>
  says(error, [404], /no such (container|network|image|volume|object)|network not found/i);

/** There is one by that name, or it is not in the state for this. */
export const isConflict = (error: unknown): boolean =>
  says(error, [409], /already (in use|exists|used)|is not running|state improper/i);

/** The fixed address belongs to another container. */
export const isAddressTaken = (error: unknown): boolean =>
  error instanceof EngineError &&
  /address already in use|ip address .* is already allocated|already allocated/i.test(error.message);

/** A network that still has containers, a volume or an image that a container uses. */
export const isInUse = (error: unknown): boolean =>
  error instanceof EngineError &&
  error.status >= 400 &&
  /active endpoints|is in use|being used|using its|in use by/i.test(error.message);

/** What a call gives, or undefined where the thing is not there. */
export async function ifThere<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Whether the call did something: false when there is one by that name already. */
export async function unlessThere(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}
