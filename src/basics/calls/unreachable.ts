/** The vendor cannot be reached, or failed on its side. The request can be retried later. Any other error is a bug of ours. */
export class Unreachable extends Error {}

/** Not asked at all: its address has not answered for some time. */
export class Silent extends Unreachable {
  /** Until the address is asked again. */
  readonly waitMs: number;

  constructor(message: string, waitMs: number) {
    super(message);
    this.waitMs = waitMs;
  }
}

/** The server stops: the outcome of the call is unknown, as after a crash, and nothing is to be recorded about it. */
export class ServerStops extends Error {
  constructor() {
    super('The server is stopping');
  }
}
