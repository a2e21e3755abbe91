import { randomBytes } from 'node:crypto';
import type { Engine } from '../../../src/docker-engine/types.ts';

/** Runs a script that sees a volume as `/volume`. Returns its output. */
export async function inVolume({ containers }: Engine, volume: string, script: string): Promise<string> {
  const name = `test-${randomBytes(6).toString('hex')}`;
  const id = await containers.create({
    name,
    image: 'almanac/instance',
    entrypoint: ['/bin/bash', '-c', script],
    mounts: [
      { kind: 'volume', volume, target: '/volume' },
      { kind: 'bind', source: '/usr', target: '/usr', readOnly: true },
    ],
  });
  try {
    await containers.start(id);
    const code = await containers.wait(id);
    const output = (await containers.logs(id, 10)).trim();
    if (code !== 0) throw new Error(`${script}: ${output}`);
    return output;
  } finally {
    await containers.remove(id, { force: true });
  }
}
