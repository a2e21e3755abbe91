import type { Clock } from '../../basics/clock.ts';
import type { Image } from '../../docker-engine/types.ts';
import type { AppEngine } from '../app-engine.ts';
import type { AwsAccess } from '../cloud/aws.ts';
import { codeDirectoryLabel, putCode, usualCodeDirectory } from '../code/code.ts';
import type { AgentLog } from '../log.ts';
import type { Settings } from '../settings.ts';
import type { Running } from '../state.ts';
import type { Place, Wanted } from '../wanted.ts';
import { appContainerSpec, removeAppContainer, runningFrom } from './app-container.ts';
import { waitUntilHealthy } from './health.ts';
import { ensureImage } from './image.ts';

export interface DeployTools {
  clock: Clock;
  engine: AppEngine;
  log: AgentLog;
  settings: Settings;
  place: Place;
  aws: AwsAccess;
  /** Aborted when the agent stops or the instance goes. */
  signal: AbortSignal;
}

/** Where nobody names ports, those the image itself is made for: v2 knows an image and no ports. */
const portsOf = ({ ports }: Wanted, { exposedPorts }: Image): readonly number[] =>
  ports.length > 0
    ? ports
    : exposedPorts.flatMap((exposed) => (exposed.endsWith('/tcp') ? Number.parseInt(exposed, 10) : []));

/** Starts a container of what is wanted beside the one that serves. What fails is taken away again, and thrown. */
export async function startCandidate(tools: DeployTools, asked: Wanted): Promise<Running> {
  const { clock, engine, log, settings, signal } = tools;
  const { network, stateDirectory, healthSeconds } = settings;
  const image = await ensureImage(engine, log, asked, signal);
  const wanted = { ...asked, ports: portsOf(asked, image) };
  const id = await engine.containers.create(await appContainerSpec(tools, wanted, image));
  try {
    if (wanted.code) {
      const target = wanted.codeDirectory ?? image.labels[codeDirectoryLabel] ?? usualCodeDirectory;
      await putCode({ clock, stateDirectory, signal, engine, aws: tools.aws }, wanted.code, id, target);
    }
    await engine.containers.start(id);
    const check = { clock, engine, network, ports: wanted.ports, seconds: healthSeconds, signal };
    return runningFrom(await waitUntilHealthy(check, id));
  } catch (error) {
    await removeAppContainer(engine, id, 1);
    throw error;
  }
}
