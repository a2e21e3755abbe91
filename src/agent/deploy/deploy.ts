import type { Clock } from '../../basics/clock.ts';
import type { Image } from '../../docker-engine/types.ts';
import type { AppEngine } from '../app-engine.ts';
import type { AwsAccess } from '../cloud/aws.ts';
import { codeDirectoryLabel, defaultCodeDirectory, putCode } from '../code/code.ts';
import type { Deployment, InstanceIdentity } from '../deployment.ts';
import type { AgentLog } from '../log.ts';
import type { Settings } from '../settings.ts';
import type { Running } from '../state.ts';
import { appContainerSpec, removeAppContainer, toRunning } from './app-container.ts';
import { waitUntilHealthy } from './health.ts';
import { ensureImage } from './image.ts';
import { secretFiles } from './secret-files.ts';

export interface DeployTools {
  clock: Clock;
  engine: AppEngine;
  log: AgentLog;
  settings: Settings;
  instance: InstanceIdentity;
  aws: AwsAccess;
  /** Aborted when the agent stops or the instance is reclaimed. */
  signal: AbortSignal;
}

/** The exposed ports of the image if the configuration has none: v2 stacks configure no ports. */
const portsOf = ({ ports }: Deployment, { exposedPorts }: Image): readonly number[] =>
  ports.length > 0
    ? ports
    : exposedPorts.flatMap((exposed) => (exposed.endsWith('/tcp') ? Number.parseInt(exposed, 10) : []));

/** Starts a container of the new revision while the old one serves. Removes it on failure. */
export async function startCandidate(tools: DeployTools, desired: Deployment): Promise<Running> {
  const { clock, engine, log, settings, signal } = tools;
  const { network, stateDirectory, healthSeconds } = settings;
  const image = await ensureImage({ engine, log, signal }, desired);
  const deployment = { ...desired, ports: portsOf(desired, image) };
  const id = await engine.containers.create(await appContainerSpec(tools, deployment, image));
  try {
    const { code } = deployment;
    if (code) {
      const target = deployment.codeDirectory ?? image.labels[codeDirectoryLabel] ?? defaultCodeDirectory;
      const codeTools = { clock, stateDirectory, signal, engine, aws: tools.aws };
      await putCode(codeTools, { code, container: id, target });
    }
    const files = secretFiles(deployment, image);
    if (files.length > 0) await engine.containers.putFiles(id, files);
    await engine.containers.start(id);
    const check = { clock, engine, log, network, ports: deployment.ports, seconds: healthSeconds, signal };
    const healthy = await waitUntilHealthy(check, id);
    return { ...toRunning(healthy), startedAt: healthy.startedAt };
  } catch (error) {
    await removeAppContainer(engine, id, 1);
    throw error;
  }
}
