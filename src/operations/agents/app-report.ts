import { createHash } from 'node:crypto';
import { isInProgress } from '../../model/status.ts';
import { readApplication, receiveReport, recordApplication } from '../../rollouts/record.ts';
import type { Query } from '../../store/database/database.ts';
import { type AppInstanceRow, findAppInstance, listAppInstances } from '../../store/stacks/app-instances.ts';
import { lockStackRow } from '../../store/stacks/health.ts';
import type { RolloutRow } from '../../store/stacks/rollouts.ts';
import { wakeStack, wakeStackSoon } from '../../store/stacks/schedule.ts';
import type { StackRow } from '../../store/stacks/stacks.ts';
import type { AppReport } from '../../vendors/vendor.ts';
import type { Service } from '../service.ts';
import { sanitizeLines, sanitizeText } from './sanitize-text.ts';

/** What an agent that knows revisions adds to its report. */
export interface AppMembers {
  revision?: number | undefined;
  servingRevision?: number | undefined;
  flag?: string | undefined;
  definite?: boolean | undefined;
  lastLines?: string | undefined;
  image?: string | undefined;
  digest?: string | undefined;
  everySeconds?: number | undefined;
}

export interface AgentReport {
  stackId: string;
  agentId: string;
  status: string;
  instanceId?: string | undefined;
  message?: string | undefined;
  /** The agent sends logs on request. */
  sendsLogs?: boolean | undefined;
  app?: AppMembers | undefined;
  /** Only about an instance of the stack. */
  mustBeKnown?: boolean;
}

/** Compared with the last report: an agent repeats itself as a heartbeat. */
export const digestOfApp = (app: AppMembers = {}): string =>
  createHash('sha256').update(JSON.stringify(app)).digest('base64url');

/** After this time without a report, the same report is news. */
export const silentMs = ({ app }: AgentReport): number => (app?.everySeconds ?? 60) * 2000;

const maxReason = 1000;
const maxLines = 4000;
const maxName = 512;

function stateOf({
  status,
  revision,
  app,
}: {
  status: string;
  revision: number;
  app: AppMembers;
}): AppReport['state'] {
  if (status === 'error') return 'failing';
  const serving = app.servingRevision ?? 0;
  return revision > 0 && serving >= revision ? 'serving' : 'starting';
}

function appReportOf(report: AgentReport, stack: StackRow, before: AppInstanceRow | undefined): AppReport {
  const { instanceId = '', status, message = '', app = {} } = report;
  const revision = app.revision ?? before?.revision ?? 0;
  const state = stateOf({ status, revision, app });
  const flag =
    stack.view.instances.find(({ id }) => id === instanceId)?.flag ?? app.flag ?? before?.flag ?? '';
  return {
    instanceId,
    flag,
    revision,
    serving: app.servingRevision ?? 0,
    state,
    isDefinite: state === 'failing' && app.definite === true,
    reason: state === 'failing' ? sanitizeText(message, maxReason) : '',
    lastLines: state === 'failing' ? sanitizeLines(app.lastLines ?? '', maxLines) : '',
    image: sanitizeText(app.image ?? '', maxName),
    digest: sanitizeText(app.digest ?? '', maxName),
  };
}

/** Agents of earlier releases, and historical ones, name no revision and no interval: see `containers` for them. */
const namesRevision = ({ instanceId, app }: AgentReport): boolean =>
  !!instanceId && (app?.revision !== undefined || app?.everySeconds !== undefined);

interface Receiving {
  stack: StackRow;
  report: AgentReport;
  now: number;
}

/** Instances that no pass has seen yet report too; whatever ids a program reports, the table stays small. */
async function hasRoom({ settings }: Service, query: Query, { stack, report }: Receiving): Promise<boolean> {
  const isKnown = stack.view.instances.some(({ id }) => id === report.instanceId);
  const limit = settings.limits.containersPerStack;
  return isKnown || limit === 0 || (await listAppInstances(query, stack.id)).length < limit;
}

/** Instances of a rollout report together: one pass is enough to show its progress. */
const togetherMs = 1_000;

const isOver = ({ state }: RolloutRow): boolean => state === 'serving' || state === 'failing';

interface AppEffects {
  /** The health of the stack, or a rollout, is another one. */
  isChanged: boolean;
  /** The stack is due, because a rollout has moved. */
  wokeStack: boolean;
}

const nothing: AppEffects = { isChanged: false, wokeStack: false };

/** Records what the application of an instance does. */
export async function receiveAppReport(
  service: Service,
  query: Query,
  receiving: Receiving,
): Promise<AppEffects> {
  const { stack, report, now } = receiving;
  if (stack.operation === 'DELETE' || !namesRevision(report)) return nothing;
  const before = await findAppInstance(query, stack.id, report.instanceId ?? '');
  if (!before && !(await hasRoom(service, query, receiving))) return nothing;
  await receiveReport(query, {
    stackId: stack.id,
    report: appReportOf(report, stack, before),
    everySeconds: report.app?.everySeconds ?? 0,
    before,
    now,
  });
  await lockStackRow(query, stack.id);
  const isSettled = !isInProgress(stack.status);
  const application = await readApplication(query, {
    stack,
    instances: stack.view.instances,
    now,
    isSettled,
  });
  const isChanged = await recordApplication(query, { stack, now }, application);
  if (!isChanged || !isInProgress(stack.status)) return { isChanged, wokeStack: false };
  if (application.rollouts.some(isOver)) await wakeStack(query, stack.id, now);
  else await wakeStackSoon(query, stack.id, { now, at: now + togetherMs });
  return { isChanged, wokeStack: true };
}
