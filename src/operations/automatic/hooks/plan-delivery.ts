import { Failure } from '../../../basics/failure.ts';
import { withoutEndSlashes } from '../../../basics/text/end-slashes.ts';
import { setImages } from '../../../languages/set-images.ts';
import { shownUrl } from '../../../languages/url-members.ts';
import type { Layer } from '../../../model/stack-model.ts';
import type { VersionRow } from '../../../store/stacks/versions.ts';
import type { Wish } from './read-delivery.ts';

export interface Plan {
  document: object;
  cause: string;
  redeploy: readonly string[];
}

type Of<Kind extends Wish['kind']> = Extract<Wish, { kind: Kind }>;

/** Without tag and digest. */
const nameOfImage = (image: string): string => image.replace(/@.*$/s, '').replace(/:[^/:]*$/, '');

/** `https://user@host:443/ann/shop.git` and `git@host:ann/shop.git` are the same place. */
const placeOfRepository = (url: string): string => {
  const place = url
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/^[^/@]*@/, '')
    .replace(/^([^/:]+):(?:\d+(?=\/))?\/?/, '$1/');
  return withoutEndSlashes(place)
    .replace(/\.git$/i, '')
    .toLowerCase();
};

const refused = (message: string): Failure =>
  new Failure('invalid_request', message, { problems: [{ path: 'flag', message }] });

/** The layers whose image it is to be. Without a flag: those that run the same image, or the only one with a container. */
function layersFor(layers: readonly Layer[], { image, flag }: Of<'image'>): Layer[] {
  const withContainer = layers.filter(({ container }) => container !== null);
  if (flag !== undefined) {
    const named = withContainer.filter((layer) => layer.flag === flag);
    if (named.length === 0) throw refused(`flag must name a layer with a container, not "${flag}"`);
    return named;
  }
  const same = withContainer.filter(
    ({ container }) => nameOfImage(container?.image ?? '') === nameOfImage(image),
  );
  if (same.length > 0) return same;
  if (withContainer.length === 1) return withContainer;
  throw refused('flag is required: several layers have a container, and none of them runs this image');
}

function planImage({ model, document }: VersionRow, wish: Of<'image'>): Plan {
  const layers = layersFor(model.layers, wish);
  const images = new Map(layers.map((layer) => [model.layers.indexOf(layer), wish.image]));
  const changed = setImages(document, images);
  if (!changed) throw new Failure('conflict', 'The container of the layer comes from a function');
  return {
    document: changed,
    cause: `The deploy hook was called for image ${shownUrl(wish.image)}`,
    redeploy: layers.map(({ flag }) => flag),
  };
}

function planPush({ model, document }: VersionRow, wish: Of<'git'>): Plan | null {
  const places = new Set(wish.urls.map(placeOfRepository));
  const layers = model.layers.filter(
    ({ container }) =>
      container?.codeSource === 'git' &&
      container.gitRepository !== null &&
      container.gitReference === wish.reference &&
      places.has(placeOfRepository(container.gitRepository)),
  );
  if (layers.length === 0) return null;
  const [place = ''] = places;
  return {
    document,
    cause: `${wish.by} pushed ${wish.commit} to ${wish.reference} of ${place}`,
    redeploy: layers.map(({ flag }) => flag),
  };
}

/** Null: the call has nothing to do with the stack. */
export function planDelivery(version: VersionRow, wish: Wish): Plan | null {
  switch (wish.kind) {
    case 'nothing':
      return null;
    case 'image':
      return planImage(version, wish);
    case 'git':
      return planPush(version, wish);
    case 'again': {
      const { document, model } = version;
      const layers = model.layers.filter(({ container }) => container !== null);
      const redeploy = layers.map(({ flag }) => flag);
      return { document, cause: 'The deploy hook was called', redeploy };
    }
  }
}
