import type { AppFault } from '../../model/app-fault.ts';
import type { AppReport, AskedApps, Instance, WantedRevision } from '../vendor.ts';
import type { SandboxFaults, SandboxStack } from './cloud.ts';
import { runningInstances } from './observe.ts';

/** A container needs so long to serve, times the speed of the sandbox. */
const startMs = 1_000;

const reasons: Readonly<Record<Exclude<AppFault, 'silent'>, string>> = {
  crash: 'The container exited with code 3 and was restarted 5 times.',
  missing_image: 'Cannot pull the image: manifest unknown.',
  refused_pull: 'Cannot pull the image: access denied.',
  unhealthy: 'The container did not pass its health check within 60 s.',
  dies: 'The container exited with code 137 after it had served.',
};

interface Simulation {
  faults: SandboxFaults;
  now: number;
  speed: number;
}

const faultFor = ({ apps = [] }: SandboxFaults, stackId: string, image: string) =>
  apps.findLast((fault) => (fault.stackId ?? stackId) === stackId && image.includes(fault.image));

/** What agents on the simulated instances would report. */
export function appsOf(
  stack: SandboxStack,
  { wanted, servingOn }: AskedApps,
  simulation: Simulation,
): AppReport[] {
  return runningInstances(stack, simulation.now).flatMap((instance) => {
    const revision = wanted.find(({ flag }) => flag === instance.flag);
    if (!revision) return [];
    const fault = faultFor(simulation.faults, stack.stackId, revision.image);
    if (fault?.mode === 'silent') return [];
    const before = servingOn.get(instance.id) ?? 0;
    const failure = fault && { mode: fault.mode, reason: fault.reason || reasons[fault.mode] };
    return [reportOf(instance, { revision, before, failure }, simulation)];
  });
}

interface Deployed {
  revision: WantedRevision;
  /** The revision that served before. */
  before: number;
  failure: { mode: AppFault; reason: string } | undefined;
}

function reportOf(
  { id: instanceId, flag, launchedAt }: Instance,
  { revision: { revision, image, since }, before, failure }: Deployed,
  { now, speed }: Simulation,
): AppReport {
  const report = { instanceId, flag, revision, isDefinite: false, reason: '', lastLines: '', digest: '' };
  const isReady = now >= Math.max(since, launchedAt) + startMs * speed;
  if (!isReady)
    return { ...report, serving: before, state: before >= revision ? 'serving' : 'starting', image };
  if (!failure) return { ...report, serving: revision, state: 'serving', image };
  const isDead = failure.mode === 'dies';
  return {
    ...report,
    state: 'failing',
    serving: isDead || before >= revision ? 0 : before,
    isDefinite: !isDead,
    reason: failure.reason,
    lastLines: failure.mode === 'crash' ? 'Error: no configuration\nexit 3' : '',
    image: '',
  };
}
