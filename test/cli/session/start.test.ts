import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AlmUser, almProgram } from '../alm.ts';

describe('output', () => {
  let user: AlmUser;
  beforeAll(() => {
    user = new AlmUser();
  });
  afterAll(() => user.close());

  it('a slow reader receives the complete output', async () => {
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

  it('a closed pipe is not an error', async () => {
    const child = spawn(process.execPath, [almProgram, 'help'], {
      env: user.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    const [code] = (await once(child, 'close')) as [number];
    expect([code, stderr]).toEqual([0, '']);
  });

  it('commands that need no configuration run with a broken one', async () => {
    const config = join(user.home, 'broken.yml');
    writeFileSync(config, '{{{');
    const env = { ALM_CONFIG: config, ALM_URL: 'nonsense' };
    for (const args of [['version'], ['completion', 'bash'], ['help', 'stack']])
      expect(await user.run(args, { env })).toMatchObject({ code: 0, stderr: '' });
    expect(await user.run(['version', '--fmt', 'json'], { env })).toMatchObject({ code: 1, stdout: '' });
  });
});
