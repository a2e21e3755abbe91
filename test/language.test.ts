import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Words of another century, and what to write instead. AGENTS.md has the glossary of the words we do use. */
const avoided: readonly [words: RegExp, instead: string][] = [
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\banew\b/i, 'again, new'],
  [/\bwhoever\b|\bwhomever\b/i, 'the caller, the user, anyone who'],
  [/\bsomebody\b/i, 'a user, another process'],
  [/\b(is|are|was|were|be|been|being) told\b/i, 'is reported, receives'],
  [/\btold\b/i, 'reported, known'],
  [/\bin vain\b/i, 'without success'],
  [/\bfarewell\b/i, 'stop, shutdown'],
  [/\bwhereabouts\b/i, 'location, placement'],
  [/\bmeanwhile\b/i, 'while …, in the meantime'],
  // Except the kind of an event, which is on the wire.
  [/(?<![`'_])\btrouble\b(?![`'_])/i, 'error, failure, problem'],
  [/(?<!\bthere )\b(is|are|was|were) no (?!more than|longer|one|such)\w/i, 'is not a'],
  [/\bcomes? to (its|their) end\b/i, 'finishes'],
  [/\bgoes on without\b/i, 'continues'],
  [/\bdear\b/i, 'expensive'],
  [/\bpeaceful\b|\bmanners\b/i, 'a plain word'],
  [/\bsigns? of life\b/i, 'heartbeat'],
  [/\bas it stands\b|\bstands (in|on|beside|there)\b/i, 'is, means'],
];

const pages = ['README.md', 'AGENTS.md'];
const folders = ['src', 'test', 'docs', 'scripts', 'bench', 'images'];
const isText = /\.(tsx?|css|js|mjs|py|sh|md|html|svg)$|Dockerfile$/;

const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => isText.test(path) && path !== 'test/language.test.ts');

const files = [...pages, ...folders.flatMap(filesBelow)];

describe('plain English', () => {
  it.each(avoided)('no string, comment, test name or page uses %s: write "%s"', (words) => {
    const found = files.flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .flatMap((line, index) => (words.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
    );
    expect(found).toEqual([]);
  });
});
