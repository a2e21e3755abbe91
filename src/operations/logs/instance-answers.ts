import type { Clock } from '../../basics/clock.ts';
import type { LogPart } from './notices.ts';
import type { LogTarget } from './targets.ts';

/**
 * `waiting`: was asked. `sending`: sends, and more may follow. `complete`: has sent what was asked for. `unavailable`: there is
 * no agent, or it cannot send logs. `silent`: does not answer. `failed`: could not read its logs. `gone`: is no longer part of
 * the stack.
 */
type LogState = 'waiting' | 'sending' | 'complete' | 'unavailable' | 'silent' | 'failed' | 'gone';

export interface InstanceLogs {
  instanceId: string;
  flag: string;
  state: LogState;
  /** Empty unless something is wrong. */
  message: string;
}

/** Agents ask every 10 seconds by default, and are asked for logs then. */
const patienceMs = 25_000;

const silence = (instanceId: string): string =>
  `The agent of instance ${instanceId} does not answer. It may not run, or not reach this service.`;

interface Answer extends InstanceLogs {
  askedAt: number;
  batch: number;
  part: number;
}

/** Which instances have answered a request for logs. */
export class InstanceAnswers {
  readonly #clock: Clock;
  readonly #tell: (logs: InstanceLogs) => void;
  readonly #answers = new Map<string, Answer>();

  constructor(clock: Clock, tell: (logs: InstanceLogs) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  get areComplete(): boolean {
    return [...this.#answers.values()].every(({ state }) => state !== 'waiting' && state !== 'sending');
  }

  /** These instances are asked, and no others. */
  expect(targets: readonly LogTarget[]): void {
    const ids = new Set(targets.map(({ instanceId }) => instanceId));
    for (const answer of this.#answers.values())
      if (!ids.has(answer.instanceId)) {
        this.#answers.delete(answer.instanceId);
        this.#tell({ instanceId: answer.instanceId, flag: answer.flag, state: 'gone', message: '' });
      }
    const news = targets.filter((target) => {
      const known = this.#answers.get(target.instanceId);
      return known === undefined || (known.state === 'unavailable') !== (target.by === 'nobody');
    });
    // All of them before the first report: its receiver may ask whether all have answered.
    for (const { instanceId, flag, by, why } of news)
      this.#set({ instanceId, flag, state: by === 'nobody' ? 'unavailable' : 'waiting', message: why });
    for (const { instanceId } of news) this.#tellAbout(instanceId);
  }

  settle({ instanceId, flag }: Pick<LogTarget, 'instanceId' | 'flag'>, state: LogState, message = ''): void {
    const before = this.#answers.get(instanceId);
    this.#set({ instanceId, flag, state, message });
    if (before?.state !== state || before.message !== message) this.#tellAbout(instanceId);
  }

  #set(logs: InstanceLogs): void {
    const { askedAt, batch = 0, part = 0 } = this.#answers.get(logs.instanceId) ?? {};
    const now = this.#clock.now();
    const isAsked = logs.state === 'waiting';
    this.#answers.set(logs.instanceId, { ...logs, askedAt: isAsked ? now : (askedAt ?? now), batch, part });
  }

  #tellAbout(id: string): void {
    const answer = this.#answers.get(id);
    if (!answer) return;
    const { instanceId, flag, state, message } = answer;
    this.#tell({ instanceId, flag, state, message });
  }

  /**
   * `repeated`: the part was already taken; an agent repeats what it cannot know to have arrived. `resumed`: something before it is
   * missing, or the agent was restarted and begins with lines that were already taken.
   */
  place({ instanceId, batch, part }: LogPart): 'next' | 'repeated' | 'resumed' {
    const answer = this.#answers.get(instanceId);
    if (!answer || batch < answer.batch || (batch === answer.batch && part < answer.part)) return 'repeated';
    const isFirst = answer.batch === 0;
    const isNext = batch === answer.batch ? part === answer.part : part === 0 && batch === answer.batch + 1;
    answer.batch = batch;
    answer.part = part + 1;
    return isNext || (isFirst && part === 0) ? 'next' : 'resumed';
  }

  update(target: LogTarget, { isLast, problem }: LogPart): void {
    if (problem !== '') this.settle(target, 'failed', problem);
    else this.settle(target, isLast ? 'complete' : 'sending');
  }

  noteSilence(): void {
    for (const answer of this.#answers.values())
      if (answer.state === 'waiting' && this.#clock.now() - answer.askedAt >= patienceMs)
        this.settle(answer, 'silent', silence(answer.instanceId));
  }
}
