import { Unreachable } from '../../vendor.ts';
import { copyName, keepRecordName, labels, stackName } from '../names.ts';
import { labelsOf } from '../plan/container-specs.ts';
import type { DesiredStack, Machine } from '../tools.ts';
import { createContainer } from './make-container.ts';

/**
 * Safe to run at any time, and again: a volume with content and without the mark is complete, and may be in use. The mark also
 * shows that a source is itself an incomplete copy.
 */
const script = `
set -euo pipefail
mark=.almanac-copying
if [ ! -d /from ]; then exit 0; fi
if [ -e /from/$mark ]; then echo 'The source is an incomplete copy.' >&2; exit 1; fi
if [ ! -e /to/$mark ] && [ -n "$(ls -A /to)" ]; then exit 0; fi
touch /to/$mark
cp -a /from/. /to/
sync
rm /to/$mark
`;

const exists = async ({ engine }: Machine, volume: string): Promise<boolean> =>
  (await engine.volumes.list({ [labels.stack]: null })).some(({ name }) => name === volume);

const isKept = async ({ engine }: Machine, volume: string): Promise<boolean> =>
  (await engine.containers.inspect(keepRecordName(volume))) !== undefined;

/**
 * The engine copies, so that a restart of Almanac does not matter. First the container, which mounts the source, then the question
 * whether the source is still kept: a stack that uses it again does so in the opposite order, see `reuseVolume`.
 */
export async function copyVolume(
  machine: Machine,
  { stack }: DesiredStack,
  { volume, from }: { volume: string; from: string },
): Promise<void> {
  const { containers } = machine.engine;
  // A source is removed only while no copy mounts it. The volume was made when it existed, so that the copy was complete.
  const hasSource = await exists(machine, from);
  const id = await createContainer(machine, copyName(volume), {
    role: 'instance',
    entrypoint: ['/bin/bash', '-c', script],
    labels: {
      ...labelsOf(stack.id, 'copy', volume.slice(stackName(stack.id).length + 1)),
      [labels.volume]: volume,
    },
    mounts: [
      ...(hasSource ? [{ kind: 'volume', volume: from, target: '/from', readOnly: true } as const] : []),
      { kind: 'volume', volume, target: '/to' },
    ],
  });
  if (id === undefined) return;
  if (hasSource && !(await isKept(machine, from))) {
    await containers.remove(id, { force: true });
    throw new Unreachable(
      `Volume ${from} is in use again, or its record was just changed: its data cannot be copied now.`,
    );
  }
  await containers.start(id);
}
