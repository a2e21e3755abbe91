import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AlmUser, almProgram } from '../alm.ts';

describe('what is written', () => {
  let user: AlmUser;
  beforeAll(() => {
    user = new AlmUser();
  });
  afterAll(() => user.close());

  it('arrives whole at a slow reader', async () => {
    const config = join(user.home, 'many.yml');
    const names = Array.from({ length: 4000 }, (_, index) => `  server-${index}: { timeout: 9 }`);
    writeFileSync(config, `profiles:\n${names.join('\n')}\n`);
    const child = spawn(process.execPath, [almProgram, 'profile', 'list'], {
      env: { ...user.environment, ALM_CONFIG: config },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let text = '';
    for await (const chunk of child.stdout) {
      text += String(chunk);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(text).toContain('server-3999');
    expect(text.trimEnd().split('\n')).toHaveLength(4002);
  });

  it('is not missed by a reader who has had enough', async () => {
    const child = spawn(process.execPath, [almProgram, 'help'], {
      env: user.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let said = '';
    child.stderr.on('data', (chunk) => (said += String(chunk)));
    const [code] = (await once(child, 'close')) as [number];
    expect([code, said]).toEqual([0, '']);
  });

  it('of commands that need no configuration comes also where it is broken', async () => {
    const config = join(user.home, 'broken.yml');
    writeFileSync(config, '{{{');
    const env = { ALM_CONFIG: config, ALM_URL: 'nonsense' };
    for (const args of [['version'], ['completion', 'bash'], ['help', 'stack']])
      expect(await user.run(args, { env })).toMatchObject({ code: 0, stderr: '' });
    expect(await user.run(['version', '--fmt', 'json'], { env })).toMatchObject({ code: 2, stdout: '' });
  });
});
