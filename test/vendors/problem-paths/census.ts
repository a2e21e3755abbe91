import { readdirSync, readFileSync, statSync } from 'node:fs';

/** Finds the messages in the source of the checks, to prove that tests produce each of them. */

const root = new URL('../../../src/vendors/', import.meta.url);

const filesIn = (path: string): string[] => {
  const place = new URL(path, root);
  if (!statSync(place).isDirectory()) return [readFileSync(place, 'utf8')];
  return readdirSync(place).flatMap((name) => filesIn(`${path}/${name}`));
};

/** Text literals that are sentences, or the ends of sentences. */
const literal = /(?<!\/\/.*|\*.*)(?:'((?:[^'\n\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`)/g;

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** The messages, as patterns: `${…}` matches anything. */
export const messagesIn = (paths: readonly string[]): RegExp[] =>
  paths.flatMap(filesIn).flatMap((source) =>
    [...source.matchAll(literal)]
      .map(([, quoted, template]) => quoted ?? template ?? '')
      .filter((text) => /\w \w.*[\w})]\.$/.test(text))
      .map(
        (text) =>
          new RegExp(
            text
              .split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/)
              .map(escaped)
              .join('[^]*'),
          ),
      ),
  );
