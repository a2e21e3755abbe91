import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServedAlmanac } from '../../api/served-almanac.ts';
import { AlmUser } from '../alm.ts';
import { PtySession } from '../pty.ts';

let almanac: ServedAlmanac;
let root: AlmUser;
beforeAll(async () => {
  // The docker vendor is available if its socket is named.
  almanac = await ServedAlmanac.start({ environment: { ALM_DOCKER_SOCKET: '/nonexistent/docker.sock' } });
  root = new AlmUser({ ALM_URL: almanac.url, ALM_TOKEN: await almanac.userToken() });
});
afterAll(async () => {
  root.close();
  await almanac.close();
});
const textOf = (name: string): string => readFileSync(join(root.home, name), 'utf8');

describe('alm init', () => {
  it.each(['server', 'web', 'database'])(
    'off a terminal asks nothing and writes a commented template of the kind %s that the service accepts',
    async (kind) => {
      const file = `${kind}.yaml`;
      const { code, stdout, stderr } = await root.run(['init', file, '--kind', kind, '--force']);
      expect([code, stdout, stderr]).toEqual([0, '', expect.stringContaining('The service accepts it:')]);
      expect(textOf(file)).toMatch(/^# /);
      expect(textOf(file).includes('rds:')).toBe(kind === 'database');
      expect(
        await root.run(['init', `plain-${file}`, '--kind', kind, '--image', '', '--force']),
      ).toMatchObject({
        code: 0,
      });
    },
  );

  it('asks four questions on a terminal, whose template becomes a stack', async () => {
    const session = new PtySession(root, ['init', 'asked.yaml', '--force']);
    const answers = [
      ['Kind', 'server'],
      ['Name', 'a "shop"'],
      ['Container image', ''],
      ['Credential', ''],
    ];
    for (const [question = '', answer = ''] of answers) {
      await session.shows(question, 120);
      session.type(`${answer}\r`);
    }
    expect(await session.ended(120)).toBe(0);
    const created = await root.json(['stack', 'create', 'asked.yaml', '--wait', '--fmt', 'json']);
    expect(created).toMatchObject({ nickname: 'a "shop"', stack_status: 'CREATE_COMPLETE' });
  });

  it('replaces no file without --force', async () => {
    writeFileSync(join(root.home, 'mine.yaml'), 'mine');
    expect(await root.run(['init', 'mine.yaml'])).toMatchObject({ code: 2 });
    expect(textOf('mine.yaml')).toBe('mine');
    expect(await root.run(['init', 'mine.yaml', '--force', '--check=false'])).toMatchObject({ code: 0 });
    expect(textOf('mine.yaml')).toContain('configurations:');
  });

  it('writes a template of the kind docker, for which the service may lack the credential, and says where', async () => {
    const { code, stderr } = await root.run(['init', 'docker.yaml', '--kind', 'docker', '--force']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/docker\.yaml:\d+:\d+: vendor\/docker/)]);
    const args = ['template', 'preview', 'docker.yaml', '--vendor', 'docker', '--fmt', 'json'];
    expect(JSON.stringify(await root.json(args))).not.toContain('refused');
  });
});
