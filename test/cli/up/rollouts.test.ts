import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServedAlmanac } from '../../api/served-almanac.ts';
import { eventually } from '../../http.ts';
import { oneServer } from '../../world.ts';
import { AlmUser } from '../alm.ts';
import { PtySession } from '../pty.ts';

let almanac: ServedAlmanac;
let root: AlmUser;
beforeAll(async () => {
  almanac = await ServedAlmanac.start({ sandboxSpeed: 0.3 });
  root = new AlmUser({ ALM_URL: almanac.url, ALM_TOKEN: await almanac.userToken() });
  await fail('crash', 'crash');
  await fail('missing_image', 'nope');
});
afterAll(async () => {
  root.close();
  await almanac.close();
});

const fail = async (mode: string, image: string, stackId?: string) =>
  almanac.call('POST', '/v3/sandbox/fault', {
    token: await almanac.userToken(),
    json: { kind: 'fail_app', mode, image, ...(stackId && { stack_id: stackId }) },
  });
const write = (name: string, image: string, more: object = {}): string => {
  const { configurations, ...rest } = oneServer(2);
  const container = { container_image: image };
  const layers = configurations.map((layer) => Object.assign({}, layer, { container }, more));
  writeFileSync(join(root.home, `${name}.json`), JSON.stringify({ name, ...rest, configurations: layers }));
  return `${name}.json`;
};
const up = (file: string, ...more: string[]) => root.run(['up', file, '--yes', ...more]);
const crash = 'The container exited with code 3 and was restarted 5 times.';

interface Document {
  stack_id: string;
  stack_status: string;
  health: string;
  rollouts: { state: string; image: string; instances: { state: string }[] }[];
}
const documentIn = (stdout: string): Document => JSON.parse(stdout) as Document;

describe('alm up of an application', () => {
  it('ends with 0 when every instance serves, and with 3, the reason and what keeps serving if a new image does not', async () => {
    const made = await up(write('shop', 'shop:1'));
    expect(made.code).toBe(0);
    expect(documentIn(made.stdout)).toMatchObject({
      stack_status: 'CREATE_COMPLETE',
      health: 'serving',
      rollouts: [
        { state: 'serving', image: 'shop:1', instances: [{ state: 'serving' }, { state: 'serving' }] },
      ],
    });

    const bad = await up(write('shop', 'shop:crash'), '--fmt', 'json');
    expect(bad.code).toBe(3);
    expect(documentIn(bad.stdout)).toMatchObject({ stack_status: 'UPDATE_FAILED', health: 'serving' });
    expect(documentIn(bad.stdout).rollouts.map(({ state }) => state)).toEqual([
      'serving',
      'returned',
      'serving',
    ]);
    const [, end = ''] = bad.stderr.split('error: Stack ');
    expect(end).toContain(crash);
    expect(end).toMatch(
      /Last lines of the container:\n +Error: no configuration\n +exit 3\n +shop:1 keeps serving\.\n/,
    );
    expect(end).toMatch(/→ alm rollout show shop\n +→ alm logs shop\n$/);

    const repaired = await up(write('shop', 'shop:2'));
    expect([repaired.code, documentIn(repaired.stdout).stack_status]).toEqual([0, 'UPDATE_COMPLETE']);
  });

  it('of a new stack whose image is missing ends with 3, and alm deploy repairs it', async () => {
    const made = await up(write('first', 'first:nope'));
    expect(made).toMatchObject({ code: 3, stderr: expect.stringContaining('manifest unknown') });
    expect(documentIn(made.stdout)).toMatchObject({ stack_status: 'CREATE_FAILED', health: 'down' });
    const deployed = await root.run(['deploy', 'first', '--image', 'first:1']);
    expect([deployed.code, documentIn(deployed.stdout).health]).toEqual([0, 'serving']);
  });

  it('without a change ends with 3 if the application is down', async () => {
    const file = write('later', 'later:1');
    const { stack_id: id } = documentIn((await up(file)).stdout);
    await fail('dies', 'later', id);
    await eventually(
      () => almanac.describe(id),
      ({ health }) => health === 'down',
      30,
    );
    const again = await up(file);
    expect([again.code, documentIn(again.stdout).health]).toEqual([3, 'down']);
    expect(again.stderr).toMatch(/error: The application of later is down: .*exited with code 137/);
    const status = await root.run(['status']);
    expect(status.code).toBe(3);
    const line = status.stdout.split('\n').find((each) => each.includes('later')) ?? '';
    expect(line).toMatch(/CREATE_COMPLETE +down .*exited with code 137/);
    expect((await root.run(['stack', 'describe', 'later'])).stderr).toContain('[application] down: ');
    await almanac.call('DELETE', `/v3/alm/stack/${id}?servers=replace`, { token: await almanac.userToken() });
  });
});

describe('alm deploy of an image that does not serve', () => {
  it('ends with 3 and one document, and the version before serves again', async () => {
    await up(write('deployed', 'deployed:1'));
    const { code, stdout, stderr } = await root.run(['deploy', 'deployed', '--image', 'deployed:nope']);
    expect([code, documentIn(stdout).stack_status]).toEqual([3, 'UPDATE_FAILED']);
    expect(stderr).toContain('deployed:1 keeps serving.');
    expect((await root.run(['restart', 'deployed'])).code).toBe(0);
  });
});

describe('alm rollout', () => {
  it('lists rollouts, shows their instances with the reason and the last lines, and goes back', async () => {
    await up(write('rolled', 'rolled:1', { on_failure: 'stay' }));
    expect((await root.run(['rollout', 'watch', 'rolled'])).code).toBe(0);
    expect((await up(write('rolled', 'rolled:crash', { on_failure: 'stay' }))).code).toBe(3);

    const listed = await root.run(['rollout', 'list', 'rolled']);
    expect(listed.stdout).toMatch(/^LAYER +REVISION +IMAGE +STATE +SERVING +FAILING/);
    expect(listed.stdout).toMatch(/rolled:crash +failing +0\/2 +2 .*exited with code 3/);
    expect(listed.stdout).toMatch(/rolled:1 +\w+ +2\/2 +0 /);

    const shown = await root.run(['rollout', 'show', 'rolled']);
    expect(shown.stdout.match(/ failing .*exited with code 3/g)).toHaveLength(2);
    expect(shown.stderr).toContain('rolled:crash is failing on 0 of 2.');
    expect(shown.stderr).toContain('  Error: no configuration\n');
    expect(await root.json(['rollout', 'show', 'rolled', '--fmt', 'json'])).toMatchObject({
      rollouts: [{ image: 'rolled:crash', instances: [{ state: 'failing' }, { state: 'failing' }] }],
    });
    expect(await root.run(['rollout', 'watch', 'rolled'])).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/ failing /),
    });

    const returned = await root.run(['rollout', 'return', 'rolled', '--yes']);
    expect([returned.code, documentIn(returned.stdout).health]).toEqual([0, 'serving']);
    expect((await root.run(['rollout', 'return', 'rolled', '--yes'])).code).toBe(7);
  });

  it('return asks on a terminal, with what fails', async () => {
    await up(write('asked', 'asked:1', { on_failure: 'stay' }));
    await up(write('asked', 'asked:crash', { on_failure: 'stay' }));
    const session = new PtySession(root, ['rollout', 'return', 'asked'], {}, { cols: 200, rows: 40 });
    await session.shows('Go back to the last version that served?', 30);
    expect(session.seen).toContain('exited with code 3');
    session.type('no\r');
    expect(await session.ended()).toBe(2);
  });
});

describe('a wait on a terminal', () => {
  it('has a row for the application on each instance, and a failure stays visible with its reason', async () => {
    const good = new PtySession(root, ['up', write('seen', 'seen:1'), '--yes'], {}, { cols: 80, rows: 24 });
    expect(await good.ended(60)).toBe(0);
    expect(good.seen).toMatch(/seen is up after \d+ s: [\d.]+ — alm logs seen, alm open seen/);
    // oxlint-disable-next-line no-control-regex -- these are what is looked for
    const plain = good.seen.replaceAll(/\u001B\[\??[\d;]*[a-zA-Z]/g, '');
    expect(plain.match(/✓ \S+ i-\S+ +application +\d+ s/g)?.length).toBeGreaterThan(1);
    const bad = new PtySession(
      root,
      ['up', write('seen', 'seen:crash'), '--yes'],
      {},
      { cols: 80, rows: 24 },
    );
    expect(await bad.ended(60)).toBe(3);
    expect(bad.seen).toContain('seen is UPDATE_FAILED');
    expect(bad.seen).toContain('seen:1 keeps serving.');
  });
});
