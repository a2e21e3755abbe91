import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { describe, it } from 'vitest';
import { eventually } from '../../http.ts';

/**
 * Simulators of AWS. "Stock moto" is moto as published. "The overlay" is moto with a CloudFormation that is asynchronous,
 * rolls back and can fail to delete, like the real one. The overlay is not part of this repository and is used if found.
 */
export interface Simulator {
  url: string;
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '..', '..', '..');
const overlayFile = resolve(process.env.ALM_MOTOPLUS ?? join(root, '..', 'shared', 'tools', 'motoplus.py'));
const overlayIsThere = existsSync(overlayFile);

/** Declares a suite that needs the overlay. Without the overlay it is skipped, with the reason in its name. */
export function describeOnOverlay(name: string, suite: () => void): void {
  if (overlayIsThere) describe(name, suite);
  else {
    const reason = 'NOT RUN: CloudFormation overlay motoplus.py not found (set ALM_MOTOPLUS)';
    console.warn(`${name}: ${reason}`);
    describe.skip(`${name} — ${reason}`, () => it('needs the overlay', () => undefined));
  }
}

const python = (): string => {
  const path = process.env.ALM_TEST_PYTHON;
  if (!path) throw new Error('ALM_TEST_PYTHON is not set. Run this through scripts/with-moto.sh.');
  return path;
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (!address || typeof address === 'string') throw new Error('No free port.');
  return address.port;
}

/** Running simulators, killed when the test process exits. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

const isReady = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/moto-api/data.json`)).ok;
  } catch {
    return false;
  }
};

async function start(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Simulator> {
  const port = await freePort();
  const child = spawn(python(), [...args, '-H', '127.0.0.1', '-p', String(port)], {
    // Issue requested certificates at once.
    env: { PATH: process.env.PATH, MOTO_ACM_VALIDATION_WAIT: '0', ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4000)));
  running.add(child);
  const ended = once(child, 'close').then(() => void running.delete(child));
  const url = `http://127.0.0.1:${port}`;
  // The first call is slow, because moto loads all its services.
  await eventually(
    () => isReady(url),
    (ready) => ready || child.exitCode !== null,
  );
  if (child.exitCode !== null) throw new Error(`The simulator failed to start: ${log}`);
  return {
    url,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export const startMoto = (): Promise<Simulator> => start(['-m', 'moto.server'], {});

export interface OverlaySettings {
  /** Duration of each resource operation. */
  delaySeconds: number;
  /** Maximum number of VPCs in a region, including the default one. */
  networkLimit?: number;
  /** Gives the overlay a user with all permissions, so that its calls succeed when moto checks permissions. */
  withPermissions?: boolean;
  /** Drift checks ask for the permissions of the key that AWS documents. */
  driftPermissions?: boolean;
}

/** The linter's copy of the published resource schemas, which list the members that cannot be changed in place. */
const schemas = (): string =>
  execFileSync(python(), [
    '-c',
    'import cfnlint, os; print(os.path.join(os.path.dirname(cfnlint.__file__), "data", "schemas"))',
  ])
    .toString()
    .trim();

/**
 * moto is not thread-safe: iterating over a dictionary while another thread changes it fails, and so would a stack. This
 * patch iterates over copies. boto3 also cannot create two clients at the same time.
 */
const steadyMoto = `
import boto3, threading
from moto.core.base_backend import BaseBackend
make_client, alone = boto3.client, threading.Lock()

class Steady(dict):
    def __iter__(self): return iter(list(super().keys()))
    def keys(self): return list(super().keys())
    def values(self): return list(super().values())
    def items(self): return list(super().items())

def keep(self, name, value):
    object.__setattr__(self, name, Steady(value) if type(value) is dict else value)

def client_alone(*args, **kwargs):
    with alone: return make_client(*args, **kwargs)

BaseBackend.__setattr__, boto3.client = keep, client_alone
`;

/** The user with the key that the overlay uses for its calls. */
const userWithPermissions = `
from moto.iam.models import iam_backends
backend = iam_backends['123456789012']['aws']
user = backend.create_user(region_name='us-east-1', user_name='cloudformation')
key = user.create_access_key(prefix='AKIA')
key.access_key_id, key.secret_access_key = 'AKIAMOTO', 'x'
allowed = '{"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": "*", "Resource": "*"}}'
user.put_policy('everything', allowed)
`;

const overlay = `
import runpy, sys
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name='__main__')
`;

export function startOverlay({
  delaySeconds,
  networkLimit = 1000,
  withPermissions = false,
  driftPermissions = false,
}: OverlaySettings): Promise<Simulator> {
  const program = steadyMoto + (withPermissions ? userWithPermissions : '') + overlay;
  return start(['-c', program, overlayFile], {
    MOTOPLUS_DELAY: String(delaySeconds),
    MOTOPLUS_VPC_LIMIT: String(networkLimit),
    MOTOPLUS_SCHEMAS: schemas(),
    ...(driftPermissions ? { MOTOPLUS_DRIFT_RIGHTS: '1' } : {}),
  });
}
