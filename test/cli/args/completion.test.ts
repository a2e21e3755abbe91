import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serveForAlm } from '../alm.ts';
import { allShells, isInstalled, type Shell, ShellSession } from '../terminal/shell-session.ts';
import { makeShop, offeredTo, wordsOf } from './offered.ts';

let served: Served;
let stackId: string;

beforeAll(async () => {
  served = await serveForAlm();
  stackId = await makeShop(served);
});

afterAll(() => served.close());

const offered = offeredTo(() => served.root);

describe('completion of commands and flags', () => {
  it.each([
    [['stac'], ['stack\tCreate, update, delete, inspect and access stacks']],
    [['stat'], ['status\tShow all stacks of both API versions, those that need attention first']],
    [['stack', 'li'], ['list\tList the stacks']],
    [['--url', 'http://127.0.0.1:9', 'stack', 'li'], ['list\tList the stacks']],
    [['help', 'stack', 'li'], ['list\tList the stacks']],
    [['help', 'stack', 'create', ''], []],
    [['nonsense', ''], []],
    [['version', ''], []],
  ])('completes %j to %j', async (words, lines) => {
    expect(await offered(words)).toEqual(lines);
  });

  it('the first word completes to the groups', async () => {
    const words = wordsOf(await offered(['']));
    expect(words).toEqual(expect.arrayContaining(['login', 'stack', 'template', 'help']));
    expect(words).not.toContain('--url');
  });

  it('completes the flags of the command, and global flags after a dash', async () => {
    expect(wordsOf(await offered(['stack', 'ssh', 'mo-1', '']))).toEqual([
      '--ip',
      '--flag',
      '--user',
      '--browser',
    ]);
    expect(wordsOf(await offered(['stack', 'ssh', '--']))).toEqual(
      expect.arrayContaining(['--id', '--ip', '--url', '--fmt', '--help']),
    );
  });

  it('omits flags that are present, except list flags', async () => {
    const words = wordsOf(
      await offered(['stack', 'exec', '--script', 'a', '--target=x', '--verbose', '-f', 'json', '--']),
    );
    expect(words).toContain('--target');
    expect(words).toContain('--out');
    for (const present of ['--script', '--verbose', '--fmt']) expect(words).not.toContain(present);
  });

  it('completes only flags of the API version in use', async () => {
    const inV3 = wordsOf(await offered(['stack', 'create', '--']));
    expect(inV3).toContain('--alm-template');
    expect(inV3).not.toContain('--region');
    for (const inV2 of [
      await offered(['stack', 'create', '--apiver', 'v2', '--']),
      await offered(['stack', 'create', '--'], { env: { ALM_API_VERSION: 'v2' } }),
    ]) {
      expect(wordsOf(inV2)).toContain('--region');
      expect(wordsOf(inV2)).not.toContain('--alm-template');
    }
    expect(wordsOf(await offered(['template', 'versions', '--']))).not.toContain('--apiver');
  });

  it('completes no flags after --', async () => {
    expect(await offered(['stack', 'describe', '--', '-'])).toEqual([]);
  });
});

describe('completion of values', () => {
  it.each([
    [
      ['stack', 'create', '--apiver=v2', '--arch', ''],
      ['art_single', 'art_elb'],
    ],
    [['stack', 'create', '--apiver=v2', '--arch=art_s'], ['--arch=art_single']],
    [
      ['stack', 'list', '--verbose='],
      ['--verbose=true', '--verbose=false'],
    ],
    [['audit', 'export', '-f', ''], ['raw']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['completion', 'bash', ''], []],
    [['stack', 'list', '--indent', ''], []],
    [['template', 'apply', ''], [':files']],
    [['stack', 'create', '--file', 'x'], [':files']],
    [['stack', 'list', '--out='], [':files']],
  ])('completes %j to %j', async (words, lines) => {
    expect(await offered(words)).toEqual(lines);
  });

  it('completes stacks with their nickname and status', async () => {
    const line = `${stackId}\tshop, CREATE_COMPLETE`;
    expect(await offered(['stack', 'describe', ''])).toEqual([line]);
    expect(await offered(['stack', 'describe', '--id', 'mo-'])).toEqual([line]);
    expect(await offered(['template', 'compare', '--src-sid=mo-'])).toEqual([`--src-sid=${line}`]);
    expect(await offered(['stack', 'describe', 'nothing-like-it'])).toEqual([]);
    expect(await offered(['svrconf', 'show', ''])).toEqual([]);
  });

  it('completes the credentials of the vendor', async () => {
    expect(wordsOf(await offered(['creds', 'delete', '']))).toEqual(['SANDBOX']);
    expect(await offered(['creds', 'delete', '--vendor', 'alicloud', ''])).toEqual([]);
  });

  it('completes profiles of the configuration file', async () => {
    const config = join(served.root.home, 'profiles.yml');
    writeFileSync(config, 'profiles:\n  work: { api_url: "https://almanac.example.org" }\n');
    const env = { ALM_CONFIG: config };
    expect(await offered(['--profile', ''], { env })).toEqual([
      'default\thttp://127.0.0.1:8080',
      'work\thttps://almanac.example.org',
    ]);
    expect(await offered(['profile', 'use', 'w'], { env })).toEqual(['work\thttps://almanac.example.org']);
  });
});

describe('completion after an error', () => {
  it('completion prints nothing without a server, a token or a valid configuration', async () => {
    const broken = join(served.root.home, 'broken.yml');
    writeFileSync(broken, '{{{');
    for (const env of [
      { ALM_URL: 'http://127.0.0.1:9' },
      { ALM_URL: 'nonsense' },
      { ALM_TOKEN: '' },
      { ALM_TOKEN: 'wrong' },
      { ALM_CONFIG: broken },
      { ALM_PROFILE: 'nobody' },
    ])
      expect(await offered(['stack', 'describe', ''], { env })).toEqual([]);
    expect(wordsOf(await offered(['stack', 'list', '--o'], { env: { ALM_CONFIG: broken } }))).toEqual([
      '--out',
    ]);
    expect(await offered([])).not.toEqual([]);
  });

  it('completion gives up on a server that does not respond', async () => {
    const silent: Server = createServer(() => {});
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const began = performance.now();
    const env = { ALM_URL: `http://127.0.0.1:${port}` };
    expect(await offered(['stack', 'describe', ''], { env })).toEqual([]);
    expect(performance.now() - began).toBeLessThan(10_000);
    silent.close();
  });
});

describe.each(allShells.map((shell) => [shell, isInstalled(shell)] as const))(
  'completion in %s (installed: %s)',
  (shell: Shell, installed) => {
    let session: ShellSession;

    beforeAll(async () => {
      if (!installed) return;
      writeFileSync(join(served.root.home, 'only-one.yaml'), '');
      mkdirSync(join(served.root.home, 'some-folder'), { recursive: true });
      session = new ShellSession(shell, served.root);
      await session.ready();
    });
    afterAll(() => session?.close());

    it.skipIf(!installed)('the shell completes commands, flags, values, files and stacks', async () => {
      const cases: readonly [typed: string, last: string][] = [
        ['alm stac', 'stack'],
        ['alm stack desc', 'describe'],
        ['alm stack describe --verb', '--verbose'],
        ['alm stack list --fmt ya', 'yaml'],
        ['alm stack list --fmt=ya', '--fmt=yaml'],
        ["alm --url 'http://127.0.0.1:9' stack li", 'list'],
        ['alm --url=http://127.0.0.1:9 stack li', 'list'],
        ['alm template apply only', 'only-one.yaml'],
        ['alm template apply some', 'some-folder'],
        ['alm stack list --out=only', '--out=only-one.yaml'],
        ['alm stack describe ', stackId],
        ['alm stack describe mo-', stackId],
        ['alm stack describe --id mo-', stackId],
        ['alm stack describe --id=', `--id=${stackId}`],
        ['alm stack describe --id=mo-', `--id=${stackId}`],
      ];
      for (const [typed, last] of cases) {
        // Some shells keep the slash after a directory, some remove it.
        const found = (await session.wordsAfterTab(typed)).at(-1)?.replace(/\/$/, '');
        expect([typed, found]).toEqual([typed, last]);
      }
    });

    it.skipIf(!installed)('the shell shows descriptions of the completions', async () => {
      session.listAfterTabs('alm stack de');
      await session.shows('Describe a stack: instances');
      await session.shows('Delete a stack and all its resources');
    });
  },
);
