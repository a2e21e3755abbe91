import { createRequire } from 'node:module';
import type { Locator } from 'playwright-core';

type Decode = (pixels: Uint8ClampedArray, width: number, height: number) => { data: string } | null;

// The package exports its function the old way, which its types do not say.
const decode = createRequire(import.meta.url)('jsqr') as Decode & { default?: Decode };

interface Pixels {
  data: number[];
  width: number;
  height: number;
}

/** In the page: the pixels of a picture. */
const pixelsOf = `async (url) => {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width;
  canvas.height = image.height;
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  return { data: [...data], width: image.width, height: image.height };
}`;

/** Reads the QR code from a picture of the screen, as a camera would. */
export async function scan(code: Locator): Promise<string> {
  await code.waitFor();
  const picture = await code.screenshot();
  const url = `data:image/png;base64,${picture.toString('base64')}`;
  const { data, width, height } = await code.page().evaluate<Pixels>(`(${pixelsOf})(${JSON.stringify(url)})`);
  const found = (decode.default ?? decode)(Uint8ClampedArray.from(data), width, height);
  if (!found) throw new Error('No QR code is on the picture');
  return found.data;
}
