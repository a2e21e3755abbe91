import { copyFileSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type AlmUser, type Served, serveForAlm } from '../alm.ts';

let served: Served;
let root: AlmUser;
beforeAll(async () => {
  served = await serveForAlm({ ALM_BASE_URL: 'https://almanac.example.com' });
  root = served.root;
  copyFileSync(resolve('examples/any-cloud.yaml'), join(root.home, 'any-cloud.yaml'));
});
afterAll(() => served.close());

const page = readFileSync(resolve('docs/portability.md'), 'utf8');

/** The output that the page shows after a command. */
const shownAfter = (command: string): string => {
  const [, after = ''] = page.split(`$ ${command}\n`);
  return after.split('```')[0] ?? '';
};

/** The rows of the first table, by the titles of their columns. */
const tableIn = (text: string): Record<string, string>[] => {
  const [header = '', ...lines] = (text.split('\n\n')[0] ?? '').split('\n').filter((line) => line !== '');
  const titles = [...header.matchAll(/\S+/g)].map(({ 0: title, index }) => ({ title, index }));
  return lines.map((line) =>
    Object.fromEntries(
      titles.map(({ title, index }, column) => [title, line.slice(index, titles[column + 1]?.index).trim()]),
    ),
  );
};

const withoutLineEnds = (text: string): string => text.replaceAll(/ +$/gm, '');

it('the example of the page for users prints what the page shows', async () => {
  const command = 'alm template preview any-cloud.yaml --vendor openstack';
  const { code, stdout } = await root.run(command.split(' ').slice(1));
  expect(code).toBe(0);
  expect(withoutLineEnds(stdout)).toBe(shownAfter(command));
});

it('the table of all clouds has a column for each, with the results that the page shows', async () => {
  const command = 'alm template preview any-cloud.yaml --vendor all';
  const { stdout } = await root.run(command.split(' ').slice(1));
  const printed = tableIn(stdout);
  const shown = tableIn(shownAfter(command));
  expect(shown.length).toBeGreaterThan(5);
  // The server may have more clouds than the page shows.
  for (const [index, row] of shown.entries()) expect(printed[index]).toMatchObject(row);
});

it('the report is printed in every format, with the vendor in any case', async () => {
  const preview = ['template', 'preview', 'any-cloud.yaml', '--vendor', 'AWS'];
  const report = await root.json<{ clouds: { vendor: string }[] }>([...preview, '--fmt', 'json']);
  expect(report.clouds.map(({ vendor }) => vendor)).toEqual(['aws']);
  const { stdout } = await root.run([...preview, '--fmt', 'yaml']);
  expect(parse(stdout)).toEqual(report);
});

it('an unknown vendor, a stack and flags without a vendor are refused', async () => {
  const preview = ['template', 'preview', 'any-cloud.yaml'];
  expect((await root.run([...preview, '--vendor', 'nimbus'])).code).toBe(1);
  const withStack = await root.run([...preview, '--vendor', 'aws', '--id', 'mo-x']);
  expect(withStack).toMatchObject({ code: 2, stderr: expect.stringContaining('exclude each other') });
  expect((await root.run([...preview, '--region', 'eu-west-1'])).code).toBe(2);
});

it('a problem of the template is shown at its line', async () => {
  const template = readFileSync(resolve('examples/any-cloud.yaml'), 'utf8').replace(
    'role: web',
    'role: moon',
  );
  const { code, stderr } = await root.run(['template', 'preview', '-', '--vendor', 'all'], {
    input: template,
  });
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/:\d+:\d+: configurations\/0\/role: /);
});
