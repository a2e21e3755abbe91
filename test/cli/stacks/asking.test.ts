import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServedAlmanac } from '../../api/served-almanac.ts';
import { oneServer } from '../../world.ts';
import { AlmUser } from '../alm.ts';
import { PtySession } from '../pty.ts';

let almanac: ServedAlmanac;
let root: AlmUser;
beforeAll(async () => {
  almanac = await ServedAlmanac.start();
  root = new AlmUser({ ALM_URL: almanac.url, ALM_TOKEN: await almanac.userToken() });
  writeFileSync(join(root.home, 'two.json'), JSON.stringify(oneServer(2)));
  writeFileSync(join(root.home, 'data.json'), JSON.stringify(withDatabase()));
});
afterAll(async () => {
  root.close();
  await almanac.close();
});

const withDatabase = () => {
  const { configurations, ...rest } = oneServer(1);
  const [layer] = configurations;
  const provision = { ...layer?.provision, rds: { engine: 'mysql', storage: 20 } };
  return { ...rest, configurations: [{ ...layer, provision }] };
};
const created = async (template: object = oneServer(1)): Promise<string> => {
  const stackId = await almanac.applyTemplate(template);
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
  return stackId;
};
const serversOf = async (stackId: string) => {
  const { instances } = await almanac.describe(stackId);
  return (instances as unknown[]).length;
};
const statusOf = async (stackId: string) => (await almanac.describe(stackId)).stack_status;

/** Runs a command on a terminal and answers its question. */
async function answer(args: readonly string[], question: string, text: string) {
  const session = new PtySession(root, args, {}, { cols: 200, rows: 50 });
  try {
    await session.shows(question, 120);
    session.type(`${text}\r`);
    return { code: await session.ended(120), seen: session.seen };
  } finally {
    session.close();
  }
}

describe('stack update on a terminal', () => {
  it('shows the changes and applies them only after a yes', async () => {
    const stackId = await created();
    const update = ['stack', 'update', stackId, 'two.json', '--wait'];
    const refused = await answer(update, 'Apply these changes?', 'no');
    expect(refused.code).toBe(2);
    expect(refused.seen).toMatch(/add\s+Instance1OfWeb01|add\s+\S*Instance\S*/);
    expect(refused.seen).toContain('nothing was changed');
    expect(await serversOf(stackId)).toBe(1);
    expect((await answer(update, 'Apply these changes?', 'yes')).code).toBe(0);
    expect(await serversOf(stackId)).toBe(2);
  });

  it('asks nothing with --auto-approve, and changes nothing with --preview-only', async () => {
    const stackId = await created();
    const preview = await root.run(['stack', 'update', stackId, 'two.json', '--preview-only']);
    expect([preview.code, preview.stdout]).toEqual([0, expect.stringMatching(/^ACTION +RESOURCE/)]);
    const json = await root.json(['stack', 'update', stackId, 'two.json', '--preview-only', '--fmt', 'json']);
    expect(json).toHaveProperty('changes');
    expect(await serversOf(stackId)).toBe(1);
    const session = new PtySession(root, [
      'stack',
      'update',
      stackId,
      'two.json',
      '--auto-approve',
      '--wait',
    ]);
    expect(await session.ended(120)).toBe(0);
    expect(await serversOf(stackId)).toBe(2);
  });
});

describe('a deletion on a terminal', () => {
  it('shows the data that is lost first, and deletes only after a yes, or at once with --yes', async () => {
    const stackId = await created(withDatabase());
    const refused = await answer(
      ['stack', 'delete', stackId, '--delete-data'],
      `Delete stack ${stackId}?`,
      'n',
    );
    expect(refused.code).toBe(2);
    expect(refused.seen.search(/Database \S+ \(mysql, 20 GB\): its data is deleted/)).toBeGreaterThan(-1);
    expect(refused.seen.search(/Database \S+/)).toBeLessThan(refused.seen.search(`Stack ${stackId}`));
    expect(await statusOf(stackId)).toBe('CREATE_COMPLETE');
    const session = new PtySession(root, ['stack', 'delete', stackId, '--yes', '--wait']);
    expect(await session.ended(120)).toBe(0);
  });

  it.each([
    ['user', ['user', 'delete', 'nobody']],
    ['role', ['rbac', 'delete', 'nothing']],
    ['credential', ['creds', 'delete', '--vendor', 'aws', '--key-id', 'NONE']],
  ])('of a %s asks', async (what, args) => {
    const { code, seen } = await answer(args, `Delete ${what}`, 'no');
    expect([code, seen]).toEqual([2, expect.stringContaining('nothing was changed')]);
  });

  it('off a terminal nothing is asked', async () => {
    const stackId = await created();
    const { code } = await root.run(['stack', 'delete', stackId, '--wait'], { input: 'no\n' });
    expect(code).toBe(0);
  });
});

describe('--wait with a format', () => {
  it('prints the final state once, after the wait, also of a deletion', async () => {
    const options = ['--wait', '--fmt', 'json'];
    const made = await root.json(['stack', 'create', 'data.json', '--nickname', 'waited', ...options]);
    expect(made).toMatchObject({ stack_status: 'CREATE_COMPLETE', nickname: 'waited' });
    const id = String(made.stack_id);
    const updated = await root.run(['stack', 'update', id, 'data.json', '--wait', '--query', 'stack_status']);
    expect(updated).toMatchObject({ code: 0, stdout: 'UPDATE_COMPLETE\n' });
    const deleted = await root.json(['stack', 'delete', id, ...options]);
    expect(deleted).toMatchObject({ stack_id: id, stack_status: 'DELETE_COMPLETE' });
  });
});
