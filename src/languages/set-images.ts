import { isObject } from '../basics/is-object.ts';
import { currentName } from './v3-template/aliases.ts';

const position = 'configurations/*/container';
const member = 'container_image';

/** The container with another image, under the name that its author used. */
function withImage(container: Readonly<Record<string, unknown>>, image: string): object {
  const name = Object.keys(container).find((each) => currentName(position, each) === member) ?? member;
  return { ...container, [name]: image };
}

/**
 * The document of a template with other images, by the index of the layer. Null: a container, or the list of
 * layers, is a function, so that there is no place to write the image.
 */
export function setImages(
  document: Readonly<Record<string, unknown>>,
  images: ReadonlyMap<number, string>,
): Record<string, unknown> | null {
  const layers = document['configurations'];
  if (!Array.isArray(layers)) return null;
  const changed: unknown[] = [...(layers as unknown[])];
  for (const [index, image] of images) {
    const layer = changed[index];
    if (!isObject(layer) || !isObject(layer['container'])) return null;
    changed[index] = { ...layer, container: withImage(layer['container'], image) };
  }
  return { ...document, configurations: changed };
}
