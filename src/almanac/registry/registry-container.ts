import { userInfo } from 'node:os';
import { isConflict, isEngineFailure } from '../../docker-engine/errors.ts';
import type { Engine } from '../../docker-engine/types.ts';
import type { RunningRegistry, StartRegistry } from './running-registry.ts';

const name = 'almanac-registry';
/** Its value is the directory, so that another server's registry is not touched. */
const label = 'almanac.registry';
const logLines = 8;

/** Removes what an earlier run left behind because it was killed. */
export async function removeLeftover({ containers }: Engine, folder: string): Promise<void> {
  for (const { id } of await containers.list({ [label]: folder }))
    await containers.remove(id, { force: true });
}

async function ensureImage({ images }: Engine, image: string, signal?: AbortSignal): Promise<void> {
  if (await images.inspect(image)) return;
  try {
    await images.pull(image, signal ? { signal } : {});
  } catch (error) {
    if (!isEngineFailure(error)) throw error;
    throw new Error(`The container engine cannot pull ${image}: ${error.message}`, { cause: error });
  }
}

async function create({ containers }: Engine, image: string, { folder, configFile }: StartRegistry) {
  const { uid, gid } = userInfo();
  try {
    return await containers.create({
      name,
      image,
      entrypoint: ['registry'],
      command: ['serve', configFile],
      labels: { [label]: folder },
      user: `${uid}:${gid}`,
      // It listens on the machine itself, and reports pushes to a server that may listen on the loopback address only.
      networks: [{ network: 'host' }],
      mounts: [{ kind: 'bind', source: folder, target: folder }],
    });
  } catch (error) {
    if (!isConflict(error)) throw error;
    throw new Error(`The container ${name} exists already and belongs to another server. Remove it first.`, {
      cause: error,
    });
  }
}

/** Runs the image of the registry on the network of the machine. */
export async function startContainer(
  engine: Engine,
  image: string,
  registry: StartRegistry,
): Promise<RunningRegistry> {
  await ensureImage(engine, image, registry.signal);
  const id = await create(engine, image, registry);
  const remove = async () => void (await engine.containers.remove(id, { force: true }));
  try {
    await engine.containers.start(id);
  } catch (error) {
    await remove();
    throw error;
  }
  const logs = () => engine.containers.logs(id, logLines).catch(() => '');
  return {
    description: `container ${name} of the image ${image}`,
    ended: engine.containers.wait(id).then(logs, logs),
    stop: async () => {
      await engine.containers.stop(id, 10).catch(() => {});
      await remove();
    },
  };
}
