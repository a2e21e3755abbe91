import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { apiPage } from '../src/contract/api-page.ts';
import { operationalRoutes } from '../src/contract/operational.ts';
import { v2Routes } from '../src/contract/v2.ts';
import { v3Routes } from '../src/contract/v3.ts';
import { mayImport, mayImportSibling, packageHomes, wordHomes } from './import-rules.ts';

const root = join(import.meta.dirname, '..');

const longestFile = 250;
const longestFunction = 40;

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

const sources = filesBelow('src').map((path) => ({
  path: path.replace(/^src\//, ''),
  text: readFileSync(join(root, path), 'utf8'),
}));

const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');

const localImportsOf = ({ path, text }: { path: string; text: string }): string[] =>
  importsOf(text)
    .filter((name) => name.startsWith('.'))
    .map((name) => join(dirname(path), name));

const matches = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replaceAll('*', '[^/]+')}(/|\\.tsx?$)`).test(path) || pattern === '*';

/** The subfolder of `parent` that holds the file; undefined: it is beside the subfolders, or elsewhere. */
function childOf(parent: string, path: string): string | undefined {
  if (!path.startsWith(`${parent}/`)) return undefined;
  const rest = path.slice(parent.length + 1).split('/');
  return rest.length > 1 ? rest[0] : undefined;
}

describe('imports', () => {
  it('follow the table', () => {
    const wrong = sources.flatMap((source) => {
      const folder = source.path.split('/')[0] ?? '';
      const allowed = [folder, ...(mayImport[folder] ?? [])];
      return localImportsOf(source)
        .filter(
          (target) =>
            !/^\.\.\/(package|examples)/.test(target) && !allowed.some((pattern) => matches(pattern, target)),
        )
        .map((target) => `${source.path} imports ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  it('follow the table of sibling folders', () => {
    const wrong = sources.flatMap((source) =>
      Object.entries(mayImportSibling).flatMap(([parent, siblings]) => {
        const own = childOf(parent, source.path);
        if (own === undefined) return [];
        return localImportsOf(source)
          .filter((target) => {
            const other = childOf(parent, target);
            return other !== undefined && other !== own && !siblings[own]?.includes(other);
          })
          .map((target) => `${source.path} imports ${target}`);
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('never cross from one language or vendor to another', () => {
    const wrong = sources.flatMap((source) => {
      const [kind, own] = source.path.split('/');
      if ((kind !== 'languages' && kind !== 'vendors') || source.path.split('/').length < 3) return [];
      return localImportsOf(source)
        .filter(
          (target) =>
            target.startsWith(`${kind}/`) &&
            target.split('/').length > 2 &&
            target.split('/')[1] !== own &&
            target.split('/')[1] !== 'shared',
        )
        .map((target) => `${source.path} imports ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  it('form no circle', () => {
    const targets = new Map(sources.map((source) => [source.path, localImportsOf(source)]));
    const done = new Set<string>();
    const visit = (path: string, trail: readonly string[]): void => {
      expect(trail, `a circle through ${path}`).not.toContain(path);
      if (done.has(path)) return;
      for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
      done.add(path);
    };
    for (const path of targets.keys()) visit(path, []);
  });

  it('of routes into the console are types: their schemas would be a third of its main file', () => {
    const allowed = new Set(['contract/client.ts']);
    const wrong = sources
      .filter(({ path }) => path.startsWith('console/'))
      .flatMap((source) => {
        const values = [...source.text.matchAll(/^import (?!type\b).*?from '([^']+)'/gms)].map((match) =>
          join(dirname(source.path), match[1] ?? ''),
        );
        return values
          .filter((target) => target.startsWith('contract/') && !allowed.has(target))
          .map((target) => `${source.path} imports ${target}`);
      });
    expect(wrong).toEqual([]);
  });

  it('name a package only where it belongs', () => {
    const wrong = sources.flatMap(({ path, text }) =>
      importsOf(text)
        .filter((name) => packageHomes[name] && !packageHomes[name].test(path))
        .map((name) => `${path} imports ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('exist for every folder of the table, and no folder is left out of it', () => {
    const folders = new Set(sources.map(({ path }) => path.split('/')[0] ?? ''));
    expect([...folders].filter((folder) => !(folder in mayImport))).toEqual([]);
  });
});

describe('words', () => {
  it.each(wordHomes)('%s: %s', (word, _why, home) => {
    expect(
      sources.filter(({ path, text }) => word.test(text) && !home.test(path)).map(({ path }) => path),
    ).toEqual([]);
  });
});

interface SyntaxNode {
  type: string;
  start: number;
  end: number;
}

function functionsIn(node: unknown, found: SyntaxNode[] = []): SyntaxNode[] {
  if (Array.isArray(node)) for (const each of node) functionsIn(each, found);
  else if (node && typeof node === 'object') {
    const { type } = node as SyntaxNode;
    if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type))
      found.push(node as SyntaxNode);
    for (const each of Object.values(node)) functionsIn(each, found);
  }
  return found;
}

describe('sizes', () => {
  it(`no file is longer than ${longestFile} lines`, () => {
    const all = [...filesBelow('src'), ...filesBelow('test')];
    const long = all.map(
      (path) => [path, readFileSync(join(root, path), 'utf8').split('\n').length - 1] as const,
    );
    expect(long.filter(([, lines]) => lines > longestFile)).toEqual([]);
  });

  it(`no function is longer than ${longestFunction} lines`, () => {
    const long = sources.flatMap(({ path, text }) => {
      const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
      return functionsIn(parseSync(path, text).program)
        .map(({ start, end }) => ({
          where: `${path}:${lineOf(start)}`,
          lines: lineOf(end) - lineOf(start) + 1,
        }))
        .filter(({ lines }) => lines > longestFunction);
    });
    expect(long).toEqual([]);
  });
});

describe('routes', () => {
  const routes = [...v2Routes, ...v3Routes, ...operationalRoutes];

  it('each declare who may call them', () => {
    expect(routes.filter((route) => !route.access).map((route) => route.name)).toEqual([]);
  });

  it('have each their own name and address', () => {
    expect(new Set(routes.map((route) => route.name)).size).toBe(routes.length);
    expect(new Set(routes.map((route) => `${route.method} ${route.path}`)).size).toBe(routes.length);
  });
});

describe('generated files', () => {
  it('docs/api.md is what the route tables say (npm run docs)', () => {
    const file = join(root, 'docs/api.md');
    expect(existsSync(file) && readFileSync(file, 'utf8') === apiPage()).toBe(true);
  });
});
