import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const textsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'));

const routes = new Set(
  textsIn('src/contract').flatMap((text) =>
    [...text.matchAll(/export const (\w+) = route\(/g)].map(([, name = '']) => name),
  ),
);

/** Calls name their route by an imported type. */
const routesUsedIn = (folder: string): Set<string> =>
  new Set(
    textsIn(folder)
      .flatMap((text) => Array.from(text.matchAll(/import type \{([^}]*)\} from '[^']*contract\//g)))
      .flatMap(([, names = '']) => names.split(','))
      .map((name) => name.trim().split(' as ')[0] ?? '')
      .filter((name) => routes.has(name)),
  );

/**
 * A cookie is renewed by the page that has it, and its password proved again; alm signs in again instead. Only browsers reach
 * the device of a passkey. A session is handed over to alm.
 */
const onlyForBrowsers = [
  'addPasskey',
  'beginPasskey',
  'beginPasskeyProof',
  'handOverSignIn',
  'proveSession',
  'renewSession',
];

it('whatever route the console calls, a command of alm calls too, except those of its session and of the devices of passkeys', () => {
  const console = routesUsedIn('src/console');
  const commands = routesUsedIn('src/cli');
  expect(console.size).toBeGreaterThan(70);
  expect([...console].filter((name) => !commands.has(name)).toSorted()).toEqual(onlyForBrowsers);
});
