import { at, type Problem } from '../../../basics/problem.ts';
import type { Compiled } from '../../../languages/language.ts';
import { setImages } from '../../../languages/set-images.ts';
import { freeze, type Layer } from '../../../model/stack-model.ts';
import type { Actor } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import { registryAddress } from '../address.ts';
import { requirePullFrom } from '../require-pull.ts';
import { followedOn, isOfAccount, newestFollowed, pinnedImage } from './followed.ts';

/** The end of a sentence about the member `track`. */
const elsewhere =
  'is not in the registry of this server. Only that one is followed: push the image there, and write <user>/<name>:<tag> without an address.';
const noRegistry = 'cannot be followed: this server has no registry. Only its own registry is followed.';
const notPushed =
  'has no image yet. Push one first, or write a container_image for the time until the first push.';
const noPlace = 'must be written in the layer itself: its container comes from a function.';

interface Tracked {
  layer: Layer;
  index: number;
  track: string;
}

const trackedIn = (layers: readonly Layer[]): Tracked[] =>
  layers.flatMap((layer, index) =>
    layer.container?.track === undefined ? [] : [{ layer, index, track: layer.container.track }],
  );

/**
 * Checks what the layers follow, and gives those without an image the present one. Throws `forbidden` if the sender may not pull from a followed
 * repository; returns problems of the document.
 */
export async function resolveTracks(
  service: Service,
  actor: Actor,
  compiled: Compiled,
): Promise<{ compiled: Compiled; problems: Problem[] }> {
  const tracked = trackedIn(compiled.model.layers);
  const images = new Map<number, string>();
  const problems: Problem[] = [];
  for (const each of tracked) {
    const found = await resolve(service, actor, each);
    if ('problem' in found)
      problems.push({ path: at('layers', each.index, 'container/track'), message: found.problem });
    else if (found.image !== null) images.set(each.index, found.image);
  }
  if (problems.length > 0 || images.size === 0) return { compiled, problems };
  const document = setImages({ ...compiled.document }, images);
  const [first] = images.keys();
  if (!document)
    return { compiled, problems: [{ path: at('layers', first ?? 0, 'container'), message: noPlace }] };
  return { compiled: { ...compiled, document, model: withImages(compiled.model, images) }, problems };
}

async function resolve(
  service: Service,
  actor: Actor,
  { layer, track }: Tracked,
): Promise<{ problem: string } | { image: string | null }> {
  const { query } = service.database;
  const address = await registryAddress(service);
  if (!address) return { problem: noRegistry };
  const { host } = new URL(address.url);
  const followed = followedOn(host, track);
  if (!followed || !(await isOfAccount(query, actor.accountId, followed.repository)))
    return { problem: elsewhere };
  await requirePullFrom(query, actor, [followed.repository]);
  if (layer.container?.image) return { image: null };
  const newest = await newestFollowed(query, followed);
  return newest ? { image: pinnedImage(host, newest) } : { problem: notPushed };
}

const withImages = (model: Compiled['model'], images: ReadonlyMap<number, string>): Compiled['model'] =>
  freeze({
    ...model,
    layers: model.layers.map((layer, index) => {
      const image = images.get(index);
      return layer.container && image !== undefined
        ? { ...layer, container: { ...layer.container, image } }
        : layer;
    }),
  });
