import type { Container } from '../../../docker-engine/container-types.ts';
import { ifNew } from '../../../docker-engine/errors.ts';
import { type DockerDocument, emptyDocument } from '../document.ts';
import { labels, markerName } from '../names.ts';
import type { Marker, ObservedStack } from '../observed-stack.ts';
import { labelsOf } from '../plan/container-specs.ts';
import type { Sizes } from '../plan/scaling.ts';
import { imageOf, type Machine } from '../tools.ts';

/** The desired state of a stack, as recorded on the engine. */
type MarkerContent = Omit<Marker, 'container' | 'sequence'>;

/** Adds a marker; older ones are removed later, so that the engine always has one. */
export async function writeMarker(
  { engine, tools }: Machine,
  { stackId, markers }: Pick<ObservedStack, 'markers'> & { stackId: string },
  { version, doing, document, sizes, usable }: MarkerContent,
): Promise<void> {
  const sequence = (markers[0]?.sequence ?? 0) + 1;
  await ifNew(
    engine.containers.create({
      name: markerName(stackId, sequence),
      image: imageOf(tools, 'instance'),
      labels: {
        ...labelsOf(stackId, 'stack', ''),
        [labels.sequence]: String(sequence),
        [labels.version]: version,
        [labels.doing]: doing,
        [labels.document]: JSON.stringify(document),
        [labels.sizes]: JSON.stringify(sizes),
        [labels.usable]: JSON.stringify(usable),
      },
    }),
  );
}

export const isMarker = ({ labels: own }: Container): boolean => own[labels.kind] === 'stack';

export const markerFrom = ({ id, labels: own }: Container): Marker => ({
  container: id,
  sequence: Number(own[labels.sequence] ?? 0),
  version: own[labels.version] ?? '',
  doing: own[labels.doing] === 'remove' ? 'remove' : 'apply',
  sizes: JSON.parse(own[labels.sizes] ?? '{}') as Sizes,
  usable: JSON.parse(own[labels.usable] ?? '[]') as string[],
  document: (JSON.parse(own[labels.document] ?? 'null') as DockerDocument | null) ?? emptyDocument,
});
