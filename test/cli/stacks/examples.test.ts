import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groups } from '../../../src/cli/groups.ts';
import { ServedAlmanac } from '../../api/served-almanac.ts';
import { oneServer } from '../../world.ts';
import { AlmUser } from '../alm.ts';

const commands = groups.flatMap((group) => group.commands);

/** Commands whose examples run here, in this order, with the number of the example. */
const executed: readonly (readonly [path: string, example: number])[] = [
  ...(
    ['version', 'help', 'completion', 'whoami', 'profile list', 'template sample', 'rbac sample'] as const
  ).map((path) => [path, 0] as const),
  ['init', 1],
  ['stack create', 0],
  ['stack list', 0],
  ['stack describe', 1],
  ['stack resources', 0],
  ['stack events', 0],
  ['stack wait', 0],
  ['status', 0],
  ['use', 0],
  ['open', 1],
  ['template preview', 0],
  ['template versions', 0],
  ['template describe', 0],
  ['template compare', 0],
  ['template schema', 0],
  ['template apply', 1],
  ['stack wait', 0],
  ['deploy', 0],
  ['restart', 0],
  ['stack update', 0],
  ['stack rollback', 0],
  ['template rollback', 0],
  ['container list', 0],
  ['stack pem', 0],
  ['api', 0],
  ['account show', 0],
  ['creds list', 0],
  ['secret set', 1],
  ['secret list', 0],
  ['rbac create', 1],
  ['rbac describe', 0],
  ['rbac mine', 0],
  ['rbac templates', 0],
  ['client create', 0],
  ['client list', 0],
  ['client kind', 0],
  ['client rotate', 0],
  ['client delete', 0],
  ['rbac update', 0],
  ['rbac delete', 0],
  ['sign-in list', 0],
  ['sign-in recent', 0],
  ['token list', 0],
  ['otp status', 0],
  ['audit list', 0],
  ['audit check', 0],
  ['audit export', 0],
  ['sandbox inject', 1],
  ['sandbox faults', 0],
  ['sandbox clear', 0],
  ['user list', 0],
  ['data list', 0],
  ['stack delete', 0],
  ['data list', 1],
  ['data show', 0],
  ['data forget', 0],
];

let almanac: ServedAlmanac;
let root: AlmUser;
beforeAll(async () => {
  almanac = await ServedAlmanac.start();
  root = new AlmUser({ ALM_URL: almanac.url, ALM_TOKEN: await almanac.userToken() });
  const { configurations, ...rest } = oneServer(1);
  const [layer] = configurations;
  const provision = { ...layer?.provision, keypair: true, rds: { engine: 'mysql', storage: 20 } };
  const layers = [{ ...layer, provision, container: { container_image: 'httpd:2.4' } }];
  writeFileSync(join(root.home, 'tls.key'), 'a private key');
  writeFileSync(join(root.home, 'stack.yaml'), JSON.stringify({ ...rest, configurations: layers }));
});
afterAll(async () => {
  root.close();
  await almanac.close();
});

/** The words after `alm`, as a shell splits them. */
const wordsOf = (example: string): string[] =>
  (example.replace(/^alm /, '').match(/'[^']*'|<[^>]*>|\S+/g) ?? []).map((word) =>
    word.replace(/^'(.*)'$/, '$1'),
  );

/** What stands for the placeholders: the only stack, its first version, the newest role and API client, and the kept data. */
async function valuesOf(): Promise<Record<string, string>> {
  const list = (...words: string[]) => root.json<Record<string, string>[]>([...words, '--fmt', 'json']);
  const stackId = (await list('stack', 'list'))[0]?.stack_id ?? '';
  const versions = stackId === '' ? [] : await list('template', 'versions', stackId);
  return {
    '<id>': stackId,
    '<version id>': versions.at(-1)?.version_id ?? '',
    '<data id>': (await list('data', 'list', '--state', 'kept'))[0]?.id ?? '',
    '<role id>':
      (await list('rbac', 'describe')).find(({ name = '' }) => /^(?:all|readers)$/.test(name))?.role_id ?? '',
    '<client id>': (await list('client', 'list')).find(({ label = '' }) => / /.test(label))?.client_id ?? '',
  };
}

async function run([path, number]: readonly [string, number]): Promise<string[]> {
  const example = commands.find((command) => command.path === path)?.examples[number];
  if (example === undefined) return [`${path} has no example ${number}`];
  const values = example.includes('<') ? await valuesOf() : {};
  const { code, stderr } = await root.run(wordsOf(example).map((word) => values[word] ?? word));
  return code === 0 ? [] : [`${example}: exit code ${code}: ${stderr}`];
}

/** The text of all tests of the command line. */
const testTexts = (): string =>
  readdirSync(resolve('test/cli'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !name.endsWith('examples.test.ts'))
    .map((name) => readFileSync(resolve('test/cli', name), 'utf8'))
    .join('\n');

describe('the examples of docs/cli.md', () => {
  it('run as they are written, on a server with one stack', async () => {
    const failures: string[] = [];
    for (const step of executed) failures.push(...(await run(step)));
    expect(failures).toEqual([]);
  });

  it('every command without an example here is run by another test, because it asks, changes a login, or needs another server', () => {
    const here = new Set(executed.map(([path]) => path));
    const texts = testTexts();
    const isRun = (path: string): boolean => new RegExp(`'${path.split(' ').join(`',\\s*'`)}'`).test(texts);
    const missing = commands.map(({ path }) => path).filter((path) => !here.has(path) && !isRun(path));
    expect(missing).toEqual([]);
  });
});
