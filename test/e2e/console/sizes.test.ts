import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = 'dist/console';

interface Chunk {
  file: string;
  css?: readonly string[];
  imports?: readonly string[];
}

/** By source file: what `src/console/vite.config.ts` makes of it. */
const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<
  string,
  Chunk
>;

/** The scripts and styles that a browser loads for a source file, with everything it imports. */
function filesOf(source: string, found = new Set<string>(), visited = new Set<string>()): Set<string> {
  const chunk = manifest[source];
  if (!chunk) throw new Error(`The build has no chunk of ${source}`);
  if (visited.has(source)) return found;
  visited.add(source);
  for (const file of [chunk.file, ...(chunk.css ?? [])]) found.add(file);
  for (const each of chunk.imports ?? []) filesOf(each, found, visited);
  return found;
}

const without = (files: Set<string>, ...others: readonly Set<string>[]): string[] =>
  [...files].filter((file) => !others.some((other) => other.has(file)));

/** KB of the files as the build compressed them. */
const sizeOf = (files: Iterable<string>, encoding: 'br' | 'gz'): number => {
  const sizes = [...files].map((file) => statSync(join(folder, `${file}.${encoding}`)).size);
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
};

const main = filesOf('index.html');
/** The list of stacks is in the same file. */
const list = main;

describe('sizes of the console', () => {
  it('what every screen loads has at most 110 KB in gzip', () => {
    expect(sizeOf(main, 'gz')).toBeLessThanOrEqual(110);
  });

  it.each(['change/new.tsx', 'change/edit.tsx'])(
    'the editor with completion, beside the own file of %s, adds at most 148 KB to the list of stacks, and the difference 12 KB more',
    (screen) => {
      const editor = filesOf(screen);
      const own = new Set([manifest[screen]?.file ?? '']);
      expect(sizeOf(without(editor, list, own), 'gz')).toBeLessThanOrEqual(148);
      const difference = without(filesOf('editor/difference.tsx'), editor, main);
      expect(sizeOf(difference, 'gz')).toBeLessThanOrEqual(12);
    },
  );

  it('the palette adds at most 45 KB in gzip', () => {
    expect(sizeOf(without(filesOf('palette/palette.tsx'), main), 'gz')).toBeLessThanOrEqual(45);
  });

  it('picture and waterfall, with what else only the first page of a stack has, are at most 12 KB in gzip', () => {
    const { file = '', css = [] } = manifest['stack/overview.tsx'] ?? {};
    expect(sizeOf([file, ...css], 'gz')).toBeLessThanOrEqual(12);
  });

  it('one stack, with picture and waterfall, adds at most 40 KB in gzip to the list', () => {
    expect(sizeOf(without(filesOf('stack/overview.tsx'), list), 'gz')).toBeLessThanOrEqual(40);
  });

  it('the list of stacks loads at most 160 KB, compressed by brotli, with a font', () => {
    const files = [...list, 'index.html'];
    const font = Object.values(manifest).find(({ file }) => file.includes('inter-latin'))?.file;
    const sum = sizeOf(files, 'br') + statSync(join(folder, String(font))).size / 1024;
    expect(sum).toBeLessThanOrEqual(160);
  });
});
