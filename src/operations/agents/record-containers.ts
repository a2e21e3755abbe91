import { Failure, notFound } from '../../basics/failure.ts';
import type { Query } from '../../store/database/database.ts';
import { addAgentEvents } from '../../store/stacks/agent-events.ts';
import { type ContainerRow, findContainers, saveContainers } from '../../store/stacks/containers.ts';
import type { NewEvent } from '../../store/stacks/events.ts';
import { countReports, findReportingStacks, type ReportingStack } from '../../store/stacks/last-reports.ts';
import { findExistingStack } from '../find-stack.ts';
import type { Service } from '../service.ts';
import type { Outcome } from './batches.ts';
import { makeRoom } from './make-room.ts';
import { foldOldEvents, refuseFlood } from './report-limits.ts';

/** A report whose sender may report for the stack, if that exists. */
export interface AcceptedReport {
  accountId: string;
  stackId: string;
  agentId: string;
  containerId: string;
  status: string;
  instanceId?: string | undefined;
}

type Key = Pick<AcceptedReport, 'stackId' | 'containerId'>;

const keyOf = ({ stackId, containerId }: Key): string => JSON.stringify([stackId, containerId]);

/** A stack during the recording, with what will be written of it. */
interface Reporting {
  stack: ReportingStack;
  events: NewEvent[];
  /** Containers that have a row or will have one. */
  containers: number;
}

const refusals: ReadonlySet<string> = new Set(['not_found', 'too_many_requests']);

const isRefusal = (error: unknown): error is Failure => error instanceof Failure && refusals.has(error.kind);

function changeEvent(row: ContainerRow, versionId: string): NewEvent {
  const { container_id: id, instance_id: instanceId, status, updated_at: at } = row;
  const where = instanceId ? ` on instance ${instanceId}` : '';
  const message = `Container ${id}${where} is reported as ${status}.`;
  return { at, kind: 'agent', resource: id, resourceType: 'Container', status, message, versionId };
}

/**
 * Records reports about containers in one transaction: reads all that they need, takes them in their order, and writes the last
 * state of each container, and an event for each change, also for those in between.
 */
export class ContainerRecording {
  readonly #service: Service;
  readonly #query: Query;
  readonly #now: number;
  readonly #isAlone: boolean;
  readonly #reporting = new Map<string, Reporting>();
  readonly #known = new Map<string, ContainerRow>();
  readonly #written = new Map<string, ContainerRow>();

  private constructor(service: Service, query: Query, isAlone: boolean) {
    this.#service = service;
    this.#query = query;
    this.#now = service.clock.now();
    this.#isAlone = isAlone;
  }

  static async begin(
    service: Service,
    query: Query,
    reports: readonly AcceptedReport[],
  ): Promise<ContainerRecording> {
    const recording = new ContainerRecording(service, query, reports.length === 1);
    await recording.#read(reports);
    return recording;
  }

  async #read(reports: readonly AcceptedReport[]): Promise<void> {
    const keys = new Map(
      reports.map((report) => [
        keyOf(report),
        { stack_id: report.stackId, container_id: report.containerId },
      ]),
    );
    for (const row of await findContainers(this.#query, [...keys.values()]))
      this.#known.set(keyOf({ stackId: row.stack_id, containerId: row.container_id }), row);
    const first = reports.filter((report) => !this.#known.has(keyOf(report)));
    const counts = await countReports(this.#query, 'containers', [
      ...new Set(first.map(({ stackId }) => stackId)),
    ]);
    const stackIds = new Set(reports.map(({ stackId }) => stackId));
    for (const stack of await findReportingStacks(this.#query, [...stackIds]))
      this.#reporting.set(stack.id, { stack, events: [], containers: counts.get(stack.id) ?? 0 });
  }

  /** A refused report changes nothing. */
  async take(report: AcceptedReport): Promise<Outcome> {
    try {
      return await this.#take(report);
    } catch (error) {
      if (isRefusal(error)) return error;
      throw error;
    }
  }

  async #take(report: AcceptedReport): Promise<Outcome> {
    const reporting = this.#reportingOf(report);
    const before = this.#known.get(keyOf(report));
    if (before?.status !== report.status) await this.#refuseFlood(reporting);
    if (!before && !this.#hasRoom(reporting)) {
      if (!this.#isAlone) return 'alone';
      reporting.events.push(...(await this.#makeRoom(report)));
    }
    const row = this.#rowOf(report, before);
    if (before?.status !== row.status)
      reporting.events.push(changeEvent(row, reporting.stack.desired_version));
    if (!before) reporting.containers += 1;
    this.#known.set(keyOf(report), row);
    this.#written.set(keyOf(report), row);
    return 'recorded';
  }

  #reportingOf({ stackId, accountId }: AcceptedReport): Reporting {
    const found = this.#reporting.get(stackId);
    if (found?.stack.account_id === accountId && found.stack.deleted_at === null) return found;
    throw notFound('Stack', stackId);
  }

  #refuseFlood({ stack, events }: Reporting): Promise<void> {
    const counted = { stackId: stack.id, last: stack.event_count, now: this.#now };
    return refuseFlood(this.#service, this.#query, { ...counted, pending: events.length });
  }

  #hasRoom({ containers }: Reporting): boolean {
    const limit = this.#service.settings.limits.containersPerStack;
    return limit === 0 || containers < limit;
  }

  async #makeRoom({ accountId, stackId, containerId, instanceId = '' }: AcceptedReport): Promise<NewEvent[]> {
    const stack = await findExistingStack(this.#query, accountId, { stackId });
    const first = { table: 'containers', stack, id: containerId, instanceId, now: this.#now } as const;
    return makeRoom(this.#service, this.#query, first);
  }

  #rowOf(report: AcceptedReport, before: ContainerRow | undefined): ContainerRow {
    const instanceId = report.instanceId || before?.instance_id || '';
    return {
      stack_id: report.stackId,
      container_id: report.containerId,
      account_id: report.accountId,
      agent_id: report.agentId || before?.agent_id || instanceId,
      instance_id: instanceId,
      status: report.status,
      updated_at: this.#now,
    };
  }

  /** The ids of the stacks that have new events. */
  async write(): Promise<string[]> {
    await saveContainers(this.#query, [...this.#written.values()]);
    const changed = [...this.#reporting.values()].filter(({ events }) => events.length > 0);
    await addAgentEvents(this.#query, new Map(changed.map(({ stack, events }) => [stack.id, events])));
    for (const { stack, events } of changed) {
      const last = stack.event_count + events.length;
      await foldOldEvents(this.#service, this.#query, { stackId: stack.id, last, now: this.#now });
    }
    return changed.map(({ stack }) => stack.id);
  }
}
