import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServedAlmanac } from '../../api/served-almanac.ts';
import { oneServer } from '../../world.ts';
import { AlmUser } from '../alm.ts';
import { PtySession } from '../pty.ts';
import { withDatabase } from './with-database.ts';

let almanac: ServedAlmanac;
let root: AlmUser;
beforeAll(async () => {
  almanac = await ServedAlmanac.start();
  root = new AlmUser({ ALM_URL: almanac.url, ALM_TOKEN: await almanac.userToken() });
  writeFileSync(join(root.home, 'one.json'), JSON.stringify(oneServer(1)));
  writeFileSync(join(root.home, 'two.json'), JSON.stringify(oneServer(2)));
  writeFileSync(join(root.home, 'data.json'), JSON.stringify(withDatabase()));
});
afterAll(async () => {
  root.close();
  await almanac.close();
});

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

/** Runs a command on a terminal and answers its questions. */
async function answerAll(args: readonly string[], answers: Readonly<Record<string, string>>) {
  const session = new PtySession(root, args, {}, { cols: 300, rows: 50 });
  try {
    for (const [question, text] of Object.entries(answers)) {
      await session.shows(question, 120);
      session.type(`${text}\r`);
    }
    return { code: await session.ended(120), seen: session.seen };
  } finally {
    session.close();
  }
}
const answer = (args: readonly string[], question: string, text: string) =>
  answerAll(args, { [question]: text });

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

describe('an update that removes a database, on a terminal', () => {
  const stores = (stackId: string) =>
    root.json(['data', 'list', '--stack', stackId, '--kind', 'database', '--fmt', 'json']);

  it('asks what becomes of the data with the sentence of the service, and does what the answer says', async () => {
    const stackId = await created(withDatabase());
    const update = ['stack', 'update', stackId, 'one.json', '--wait'];
    const changes = { 'Apply these changes?': 'yes' };
    const refused = await answerAll(update, { ...changes, 'Type "keep"': 'no' });
    expect(refused.code).toBe(2);
    expect(refused.seen).toMatch(/DatabaseInstance \S+ \(\S+\) is removed\. Its data is kept: /);
    expect(await stores(stackId)).toMatchObject([{ state: 'in_use' }]);
    const kept = await answerAll(update, { ...changes, 'Type "keep"': 'keep' });
    expect(kept.code).toBe(0);
    expect(await stores(stackId)).toMatchObject([{ state: 'kept' }]);
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
    const sentence = /DatabaseInstance \S+ \(\S+\) is removed\. Its data is deleted\./;
    expect(refused.seen).toMatch(sentence);
    expect(refused.seen.search(sentence)).toBeLessThan(refused.seen.search(`Stack ${stackId}`));
    expect(refused.seen).toMatch(/Instance \S+ \(\S+\) is removed\. What is only on its disk is lost\./);
    expect(await statusOf(stackId)).toBe('CREATE_COMPLETE');
    const session = new PtySession(root, ['stack', 'delete', stackId, '--yes', '--wait']);
    expect(await session.ended(120)).toBe(0);
    expect(session.seen).toMatch(/What is only on its disk is lost\./);
  });

  it('of a v2 stack shows the same sentences, and needs no other answer than yes', async () => {
    const env = { ALM_API_VERSION: 'v2' };
    const config = ['--arch', 'art_single', '--type', 't2.micro', '--cred', 'SANDBOX', '--vendor', 'sandbox'];
    const made = await root.json(['stack', 'create', ...config, '--wait'], { env });
    const id = String(made.stack_id);
    const { code, seen } = await answer(
      ['stack', 'delete', id, '--apiver', 'v2', '--wait'],
      `Delete stack ${id}?`,
      'yes',
    );
    expect(code).toBe(0);
    expect(seen).toMatch(/Instance \S+ \(\S+\) is removed\. What is only on its disk is lost\./);
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
    const { code, stderr } = await root.run(['stack', 'delete', stackId, '--wait'], { input: 'yes\n' });
    expect([code, stderr]).toEqual([7, expect.stringContaining('--replace-servers')]);
    expect(await statusOf(stackId)).toBe('CREATE_COMPLETE');
  });
});
