import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../http.ts';
import { type AlmUser, firstStack, type Served, serveForAlm } from '../alm.ts';

const text = readFileSync(firstStack, 'utf8');

let served: Served;
let root: AlmUser;
let stackId: string;
beforeAll(async () => {
  served = await serveForAlm();
  root = served.root;
  stackId = await served.server.applyTemplate(JSON.parse(text) as object);
});
afterAll(() => served.close());

/** Writes a file to the home directory of the user, where `alm` runs. */
const write = (name: string, content: string): string => {
  writeFileSync(join(root.home, name), content);
  return name;
};

/** Commands that send a template. */
const senders: [string, (file: string) => string[]][] = [
  ['template preview', (file) => ['template', 'preview', file]],
  ['stack create', (file) => ['stack', 'create', '--alm-template', file]],
  ['template apply --id', (file) => ['template', 'apply', file, '--id', stackId]],
  [
    'template compare',
    (file) => ['template', 'compare', '--src-sid', stackId, '--src-vid', 'latest', '--tgt-body', file],
  ],
];

async function errorOf(args: readonly string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await root.run(args, input === undefined ? {} : { input });
  expect([1, 2]).toContain(code);
  expect(stdout).toBe('');
  expect(stderr).not.toContain('Internal error');
  return stderr;
}

/** `file:line:col` of every problem, in order. */
const positionsIn = (stderr: string): string[] =>
  [...stderr.matchAll(/^ *(?:\[alm\]: error: )?(\S+:\d+:\d+): /gm)].map(([, position]) => position ?? '');

const withoutColon = '{\n  "version": "2017-03-03",\n  "label" "x"\n}\n';
const openList = 'version: "2017-03-03"\nlabel: x\nvendor:\n  aws: {\ncred: SANDBOX\n';

describe.each(senders)('a syntax error in a template, for %s', (_name, argsFor) => {
  it('shows the position of a syntax error in JSON', async () => {
    const stderr = await errorOf(argsFor(write('form.json', withoutColon)));
    expect(stderr).toContain('form.json:3:11: ');
    expect(stderr).toMatch(/^ +3 \| {3}"label" "x"$/m);
  });

  it('shows the position of a syntax error in YAML', async () => {
    const stderr = await errorOf(argsFor(write('form.yaml', openList)));
    const [, line = ''] = /form\.yaml:(\d+):\d+: /.exec(stderr) ?? [];
    expect(['4', '5']).toContain(line);
    const shown = openList.split('\n')[Number(line) - 1] ?? '';
    expect(stderr).toContain(`${line} | ${shown}\n`);
  });

  it('shows the position of a tab in YAML indentation', async () => {
    const stderr = await errorOf(argsFor(write('tabs.yaml', 'version: "2017-03-03"\nvendor:\n\taws: {}\n')));
    expect(stderr).toContain('tabs.yaml:3:');
    expect(stderr).toContain('3 | ');
  });
});

describe('a problem in a template', () => {
  it('shows the position in standard input', async () => {
    const stderr = await errorOf(['template', 'preview', '-'], withoutColon);
    expect(stderr).toMatch(/standard input:3:11: /);
  });

  it('shows the part of a long line around the problem', async () => {
    const template = JSON.parse(text) as Json;
    delete template.description;
    const minified = JSON.stringify({ description: 'd'.repeat(2000), ...template });
    expect(minified.length).toBeGreaterThan(2000);
    const wrong = minified.replace('"instance_count":1', '"instance_count":"many"');
    const column = wrong.indexOf('"instance_count"') + 1;
    const stderr = await errorOf(['template', 'preview', write('long.json', wrong)]);
    expect(stderr).toContain(`long.json:1:${column}: `);
    const excerpt = stderr.split('\n').find((line) => /^ +1 \| .*instance_count/.test(line)) ?? '';
    expect(excerpt).toContain('"instance_count":"many"');
    expect(excerpt.length).toBeLessThan(200);
    const form = minified.replace('"instance_count":1', '"instance_count" 1');
    expect(await errorOf(['template', 'preview', write('longer.json', form)])).toMatch(
      /^ +1 \| .*"instance_count" 1/m,
    );
  });

  it('sorts problems by line', async () => {
    const layer = (flag: string) => `  - role: web
    flag: ${flag}
    provision:
      image: "\${computed}"
      volume_type: "\${computed}"
      instance_type: t2.micro
      instance_count: many
      keypair: perhaps
      subnet: { cidr: 10.0.0.0/24, public: true, auto_assign_public_ip: true }
      availability_zone: ap-northeast-1a
      unknown_member: 1
`;
    const yaml = `unknown_first: 1
version: "2017-03-03"
configurations:
${layer('Web01')}${layer('Web02')}label: 3
unknown_last: 1
vendor: { aws: { cred: SANDBOX, region: nowhere } }
`;
    const stderr = await errorOf(['template', 'preview', write('many.yaml', yaml)]);
    const positions = positionsIn(stderr);
    const lines = positions.map((position) => Number(position.split(':')[1]));
    expect(positions.length).toBeGreaterThan(4);
    expect(positions.every((position) => position.startsWith('many.yaml:'))).toBe(true);
    expect(lines).toEqual(lines.toSorted((one, other) => one - other));
    expect(lines[0]).toBe(1);
  });
});

describe('template sample', () => {
  it('the sample template is the first example, and the service accepts it', async () => {
    const { code, stdout, stderr } = await root.run(['template', 'sample']);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(text));
    const preview = await root.run(['template', 'preview', '-'], { input: stdout });
    expect([preview.code, preview.stdout]).toEqual([0, expect.stringMatching(/^ACTION +RESOURCE/)]);
    const yaml = await root.run(['template', 'sample', '--fmt', 'yaml']);
    expect((await root.run(['template', 'preview', '-'], { input: yaml.stdout })).code).toBe(0);
  });

  it('template sample needs neither a server nor a login', async () => {
    const env = { ALM_URL: 'http://127.0.0.1:9', ALM_TOKEN: '' };
    const { code, stderr } = await root.run(['template', 'sample', '--out', 'mine.json'], { env });
    expect([code, stderr]).toEqual([0, '[alm]: info: Output written to mine.json.\n']);
    expect((await root.run(['template', 'preview', 'mine.json'])).code).toBe(0);
  });
});
