import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestPlace, type TestPlace } from '../open-database.ts';
import { offerText, server, writeFiles } from '../vendors/aws/prices/written-price-list.ts';
import { AlmanacProcess, runAlmanac } from './almanac-process.ts';

let place: TestPlace;
let running: AlmanacProcess;
const list = writeFiles({
  'ec2.csv': offerText(
    'AmazonEC2',
    [server('t3.micro', '0.5', { 'Region Code': 'eu-west-1' })],
    '2026-11-01',
  ),
});
beforeAll(async () => {
  place = await makeTestPlace();
  running = await AlmanacProcess.serve(place);
});
afterAll(async () => {
  list.remove();
  await running.kill('SIGTERM');
  await place.remove();
});

const prices = (...args: string[]) => runAlmanac(place, ['prices', ...args]);

describe('almanac prices', () => {
  it('reads a directory with price list files while a server runs, and then shows them next to the shipped ones', async () => {
    const refreshed = await prices('refresh', '--from', list.directory);
    expect(refreshed).toMatchObject({ code: 0, stderr: '' });
    expect(refreshed.stdout).toMatch(/^eu-west-1 +AmazonEC2 +2026-11-01 +USD +1 prices\n$/);
    const { stdout } = await prices('show', '--json');
    const sheets = JSON.parse(stdout) as { region: string; offer: string; date: string; prices: number }[];
    expect(sheets).toContainEqual(
      expect.objectContaining({ region: 'eu-west-1', date: '2026-11-01', prices: 1 }),
    );
    expect(sheets).toContainEqual(expect.objectContaining({ region: 'us-east-1', offer: 'AmazonEC2' }));
  });

  it('says what is wrong and what to do', async () => {
    const missing = await prices('refresh', '--from', '/no/such/directory');
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('neither a directory nor a URL'),
    });
    expect(await prices('forget')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('almanac prices --help'),
    });
    expect((await prices('--help')).stdout).toContain('almanac prices refresh');
    const offline = await prices('refresh', '--from', 'http://127.0.0.1:9', '--region', 'eu-west-1');
    expect(offline).toMatchObject({ code: 1, stderr: expect.stringContaining('--from <directory>') });
  });
});
