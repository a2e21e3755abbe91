import type { StackSummary } from '../../../../src/contract/v3/schemas/stack-summary.ts';

export interface Sent {
  name: string;
  data: Partial<StackSummary> & { cursor?: string };
}

/** A reader of the stream of stacks, which keeps everything that it received. */
export class StackStream {
  readonly sent: Sent[] = [];
  readonly status: number;
  readonly headers: Headers;
  readonly ended: Promise<void>;
  text = '';
  readonly #connection: AbortController;
  readonly #waiting = new Set<() => void>();

  private constructor(response: Response, connection: AbortController) {
    this.#connection = connection;
    this.status = response.status;
    this.headers = response.headers;
    this.ended = this.#read(response).catch(() => {});
  }

  static async open(url: string, token: string, query = ''): Promise<StackStream> {
    const headers = { authorization: `Bearer ${token}` };
    const connection = new AbortController();
    const { signal } = connection;
    return new StackStream(
      await fetch(`${url}/v3/alm/stack/stream${query}`, { headers, signal }),
      connection,
    );
  }

  async #read(response: Response): Promise<void> {
    let rest = '';
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      this.text += Buffer.from(chunk).toString();
      rest += Buffer.from(chunk).toString();
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) this.#note(block);
      for (const wake of this.#waiting) wake();
    }
  }

  #note(block: string): void {
    const name = /^event: (.*)$/m.exec(block)?.[1];
    const data = /^data: (.*)$/m.exec(block)?.[1];
    if (name && data) this.sent.push({ name, data: JSON.parse(data) as Sent['data'] });
  }

  /** Waits for an event; those already received count. */
  async until(wanted: (event: Sent) => boolean): Promise<Sent> {
    for (;;) {
      const found = this.sent.find(wanted);
      if (found) return found;
      await new Promise<void>((resolve) => {
        this.#waiting.add(() => resolve());
      });
      this.#waiting.clear();
    }
  }

  untilStatus = (stackId: string, status: string): Promise<Sent> =>
    this.until(
      ({ name, data }) => name === 'stack' && data.stack_id === stackId && data.stack_status === status,
    );

  untilDeleted = (stackId: string): Promise<Sent> =>
    this.until(({ name, data }) => name === 'deleted' && data.stack_id === stackId);

  untilAlive = (): Promise<Sent> => this.until(({ name }) => name === 'alive');

  namesOf = (name: string): unknown[] =>
    this.sent.filter((event) => event.name === name).map(({ data }) => data.stack_id);

  close(): void {
    this.#connection.abort();
  }
}
