import { setTimeout as wait } from 'node:timers/promises';
import type { Answer, Json } from '../../http.ts';
import { oneServer } from '../../world.ts';
import type { FailingService } from './failing-service.ts';
import { AcknowledgedStack, type Ledger } from './ledger.ts';
import { type PlannedRequest, requestsOf } from './plan.ts';

export interface CallerOptions {
  seed: number;
  caller: number;
  region: string;
  service: FailingService;
  ledger: Ledger;
}

/** A user's script: one request after the other, each repeated with the same key until it is answered. */
export class Caller {
  readonly #options: CallerOptions;
  readonly #stacks: AcknowledgedStack[] = [];
  #requests = 0;

  constructor(options: CallerOptions) {
    this.#options = options;
  }

  async run(isOver: () => boolean): Promise<void> {
    const { seed, caller } = this.#options;
    for (const request of requestsOf(seed, caller)) {
      if (isOver()) return;
      await wait(request.pauseMs);
      await this.#carryOut(request);
    }
  }

  async #carryOut(request: PlannedRequest): Promise<void> {
    const { ledger } = this.#options;
    const answer = await this.#send(request);
    ledger.count(`${request.kind} ${answer.status}`);
    if (answer.status >= 300) return;
    ledger.requestIds.push(String(answer.headers.get('x-request-id')));
    const stack = this.#stackOf(request);
    if (request.kind === 'delete') stack.isDeleted = true;
    else if (request.kind === 'cancel') stack.desired = String(answer.body.version_id);
    else stack.accept({ versionId: await this.#versionOf(stack, answer.body), servers: request.servers });
  }

  /** The answer to a creation does not name the version. */
  async #versionOf(
    stack: AcknowledgedStack,
    { stack_id: stackId, version_id: known }: Json,
  ): Promise<string> {
    stack.stackId = String(stackId);
    if (typeof known === 'string') return known;
    const { body } = await this.#options.service.ask('GET', `/v3/alm/stack/${stack.stackId}`, {});
    return String(body.version_id);
  }

  #stackOf({ stack: index }: PlannedRequest): AcknowledgedStack {
    const { caller, region, ledger } = this.#options;
    const known = this.#stacks[index];
    if (known) return known;
    const made = new AcknowledgedStack(`stack ${caller}-${index}`, region);
    this.#stacks[index] = made;
    ledger.stacks.push(made);
    return made;
  }

  #send(request: PlannedRequest): Promise<Answer<Json>> {
    const { service, seed, caller } = this.#options;
    const stack = this.#stackOf(request);
    this.#requests += 1;
    const headers = { 'idempotency-key': `${seed}-${caller}-${this.#requests}` };
    const vendor = { sandbox: { cred: `CALLER${caller}`, secret: 'crash', region: stack.region } };
    const json = { ...oneServer(request.servers, stack.region), vendor, nickname: stack.nickname };
    if (request.kind === 'create') return service.ask('POST', '/v3/alm/template', { json, headers });
    if (request.kind === 'update')
      return service.ask('PUT', `/v3/alm/template/${stack.stackId}?servers=replace`, { json, headers });
    if (request.kind === 'cancel')
      return service.ask('POST', `/v3/alm/stack/${stack.stackId}/cancel?servers=replace`, { headers });
    return service.ask('DELETE', `/v3/alm/stack/${stack.stackId}?servers=replace`, { headers });
  }
}
