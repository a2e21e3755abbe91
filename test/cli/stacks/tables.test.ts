import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServedAlmanac } from '../../api/served-almanac.ts';
import { oneServer } from '../../world.ts';
import { AlmUser } from '../alm.ts';
import { PtySession } from '../pty.ts';

let almanac: ServedAlmanac;
let root: AlmUser;
let stackId: string;

beforeAll(async () => {
  almanac = await ServedAlmanac.start();
  root = new AlmUser({ ALM_URL: almanac.url, ALM_TOKEN: await almanac.userToken() });
  stackId = await almanac.applyTemplate({ ...oneServer(1), nickname: 'shop' });
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
});
afterAll(async () => {
  root.close();
  await almanac.close();
});

/** The output on a terminal of that width. */
async function seenAt(cols: number, args: readonly string[]): Promise<string> {
  const session = new PtySession(root, args, { NO_COLOR: '1' }, { cols, rows: 30 });
  try {
    expect(await session.ended(120)).toBe(0);
    return session.seen;
  } finally {
    session.close();
  }
}

describe('alm stack list', () => {
  it('fits terminals of 50, 80 and 200 columns, with ages, and names the columns that are not shown', async () => {
    const narrow = await seenAt(50, ['stack', 'list']);
    expect(narrow).toMatch(/mo-\S*…\S* +shop +CREATE_COMPLETE/);
    expect(narrow).toMatch(/Not shown: .*REGION.*--wide/);
    expect(await seenAt(80, ['stack', 'list'])).toMatch(
      /mo-\S*…\S* +shop +.*CREATE_COMPLETE .* \d+[smh] ago +none/,
    );
    const whole = await seenAt(200, ['stack', 'list']);
    expect(whole).toMatch(new RegExp(`${stackId} {5}shop .* \\d+[smh] ago`));
    expect(whole).not.toContain('Not shown');
  });

  it('is complete on a terminal with --wide, and always off a terminal: whole ids and exact times', async () => {
    const line = new RegExp(
      `${stackId} +shop +aws +CREATE_COMPLETE +ap-northeast-1 +\\w{3}, \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d \\S+`,
    );
    expect((await seenAt(50, ['stack', 'list', '--wide'])).replaceAll(/\r?\n/g, '')).toMatch(line);
    expect((await root.run(['stack', 'list'])).stdout).toMatch(line);
    const [stack] = await root.json<{ create_time: string }[]>(['stack', 'list', '--fmt', 'json']);
    expect(stack?.create_time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/);
  });
});
