import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const script = join(import.meta.dirname, '../../../../src/vendors/aws/compile/user-data.sh');
const hasShellcheck = spawnSync('shellcheck', ['--version']).status === 0;

it('user-data.sh is valid bash', () => {
  expect(spawnSync('bash', ['-n', script]).status).toBe(0);
});

it.skipIf(!hasShellcheck)('user-data.sh passes shellcheck', () => {
  const { stdout, status } = spawnSync('shellcheck', [script], { encoding: 'utf8' });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});

/** Runs the script with stand-ins for curl and cfn-signal. The installer prints the lines and ends with the status. */
function runScript(lines: readonly string[], status: number) {
  const home = mkdtempSync(join(tmpdir(), 'user-data-'));
  const write = (name: string, content: string): string => {
    const path = join(home, name);
    writeFileSync(path, content, { mode: 0o755 });
    return path;
  };
  const installer = [...lines.map((line) => `echo ${JSON.stringify(line)}`), `exit ${status}`].join('\n');
  write('curl', `#!/bin/sh\ncat <<'END'\n${installer}\nEND\n`);
  const signal = write('cfn-signal', `#!/bin/sh\nprintf '%s\\n' "$@" >'${join(home, 'signal')}'\n`);
  const text = readFileSync(script, 'utf8')
    .replaceAll('/opt/aws/bin/cfn-signal', signal)
    .replaceAll('/var/log/almanac.log', join(home, 'log'))
    .replaceAll('/dev/console', join(home, 'console'));
  spawnSync('bash', ['-c', text], { env: { PATH: `${home}:${process.env['PATH']}` } });
  const read = (name: string): string =>
    existsSync(join(home, name)) ? readFileSync(join(home, name), 'utf8') : '';
  const outcome = { signal: read('signal').split('\n'), console: read('console') };
  rmSync(home, { recursive: true });
  return outcome;
}

const after = (list: readonly string[], word: string): string => list[list.indexOf(word) + 1] ?? '';

describe('the first start of a server (installer and cfn-signal are stand-ins)', () => {
  it('signals success without a word on the console', () => {
    const { signal, console } = runScript(['almanac: ready'], 0);
    expect(after(signal, '--exit-code')).toBe('0');
    expect(console).toBe('');
  });

  it('signals a failure with the end of the install log, and repeats it on the console', () => {
    const noise = Array.from({ length: 300 }, (_, index) => `line ${index}`);
    const { signal, console } = runScript([...noise, 'almanac: cannot install packages: nodejs'], 3);
    expect(after(signal, '--exit-code')).toBe('3');
    const reason = after(signal, '--reason');
    expect(reason).toContain('line 299 almanac: cannot install packages: nodejs');
    expect(reason).not.toContain('line 200 ');
    expect(console).toBe(`almanac-install-failed: ${reason}\n`);
  });

  it('keeps the reason short, and out of it passwords in URLs', () => {
    const long = 'x'.repeat(5000);
    const { signal } = runScript([long, 'error: https://user:pa55word@example.com/x not found'], 1);
    const reason = after(signal, '--reason');
    expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(999);
    expect(reason).toContain('https://example.com/x not found');
    expect(reason).not.toContain('pa55word');
  });
});
