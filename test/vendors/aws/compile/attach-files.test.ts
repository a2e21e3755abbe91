import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleLayer, sampleModel } from '../../sample-model.ts';
import { propertiesIn, sampleContainer, templateOf } from './world.ts';

const storage = { kind: 'local', id: null, mountPath: '/data' } as const;
const template = templateOf(
  sampleModel({ layers: [sampleLayer({ flag: 'web', container: sampleContainer({ storage }) })] }),
);

/** The script of a server whose volume is vol-1. */
function script(): string {
  const { UserData } = propertiesIn(template, 'Instance0Ofweb') as {
    UserData: { 'Fn::Base64': { 'Fn::Join': [string, (string | object)[]] } };
  };
  const [, parts] = UserData['Fn::Base64']['Fn::Join'];
  return parts.map((part) => (typeof part === 'string' ? part : 'vol-1')).join('');
}

interface Volume {
  /** What it contains. */
  content: string;
  /** The attempt to attach it that succeeds; the earlier ones have this error. */
  attempt: number;
  error: string;
  gib?: number;
}

/** Runs the script with stand-ins for the programs that need a server. They write what they are asked for. */
function firstStart({ content, attempt, error, gib = 0 }: Volume) {
  const home = mkdtempSync(join(tmpdir(), 'attach-files-'));
  const path = (name: string): string => join(home, name);
  const program = (name: string, lines: string): void =>
    writeFileSync(path(name), `#!/bin/bash\n${lines}\n`, { mode: 0o755 });
  const noting = (name: string): void => program(name, `echo "${name} $*" >>'${path('calls')}'`);
  for (const name of ['mkfs.ext4', 'mount', 'resize2fs', 'cfn-signal', 'sleep']) noting(name);
  program(
    'curl',
    'case $* in *install.sh*) echo "echo installed in \\$ALM_AGENT_STORAGE_DIR" ;; *) echo i-1 ;; esac',
  );
  program(
    'aws',
    `echo "aws $*" >>'${path('calls')}'
[ "$(grep -c ^aws '${path('calls')}')" -ge ${attempt} ] && printf '${content}' >'${path('disk')}' && truncate -s '>${gib}G' '${path('disk')}' && exit
echo '${error}' >&2; exit 254`,
  );
  const text = script()
    .replaceAll('/opt/aws/bin/cfn-signal', path('cfn-signal'))
    .replaceAll('/var/log/almanac.log', path('log'))
    .replaceAll('/var/lib/almanac-files', path('files'))
    .replaceAll('/etc/fstab', path('fstab'))
    .replaceAll('/dev/console', path('console'))
    .replaceAll('/dev/xvdf', path('disk'))
    .replaceAll('[ -b ', '[ -e ');
  spawnSync('bash', ['-c', text], { env: { PATH: `${home}:${process.env['PATH']}` } });
  const read = (name: string): string => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : '');
  const calls = read('calls')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('sleep'))
    .map((line) => line.replaceAll(`${home}/`, ''));
  const outcome = {
    calls: calls.map((line) => line.replace(/ --reason.*/, '').replace(/ec2 attach.*/, 'attach')),
    log: read('log').replaceAll(`${home}/`, ''),
    fstab: read('fstab'),
    console: read('console'),
  };
  rmSync(home, { recursive: true });
  return outcome;
}

const inUse = 'An error occurred (VolumeInUse): vol-1 is already attached to an instance';

describe('the first start of a server with persistent files (programs are stand-ins)', () => {
  it('attaches a free volume, mounts it, installs the agent with the directory on it, and then signals', () => {
    const { calls, log, fstab } = firstStart({ content: 'files of before', attempt: 1, error: '' });
    expect(calls).toEqual(['aws attach', 'mount disk files', 'resize2fs disk', 'cfn-signal --exit-code 0']);
    expect(log).toBe('installed in files/data\n');
    expect(fstab).toMatch(/^LABEL=almanac-files \S+ ext4 nofail,x-systemd\.before=docker\.service/);
  });

  it('formats a blank volume, and never one with content', () => {
    const blank = firstStart({ content: '', attempt: 1, error: '', gib: 1 });
    expect(blank.calls).toContain('mkfs.ext4 -qL almanac-files disk');
    const used = firstStart({ content: 'x', attempt: 1, error: '', gib: 1 });
    expect(used.calls).not.toContain('mkfs.ext4 -qL almanac-files disk');
  });

  it('signals before it has a volume that the server has which it replaces, waits for it, and signals only once', () => {
    const { calls } = firstStart({ content: 'files of before', attempt: 40, error: inUse });
    expect(calls.filter((call) => call.startsWith('cfn-signal'))).toEqual(['cfn-signal --exit-code 0']);
    expect(calls.indexOf('cfn-signal --exit-code 0')).toBe(13);
    expect(calls.slice(-2)).toEqual(['mount disk files', 'resize2fs disk']);
  });

  it('fails with the error of AWS if the volume cannot be attached', () => {
    const { calls, console } = firstStart({ content: '', attempt: 1000, error: 'UnauthorizedOperation' });
    expect(calls.at(-1)).toBe('cfn-signal --exit-code 1');
    expect(console).toContain('cannot attach volume vol-1: UnauthorizedOperation');
  });
});

it('the script is valid bash, and a server may attach only volumes of its layer', () => {
  expect(spawnSync('bash', ['-n', '-c', script()]).status).toBe(0);
  const { Policies } = propertiesIn(template, 'Roleweb');
  expect(JSON.stringify(Policies)).toContain(
    '"Condition":{"StringEquals":{"aws:ResourceTag/almanac:stack":"mo-1","aws:ResourceTag/almanac:flag":"web"}}',
  );
});
