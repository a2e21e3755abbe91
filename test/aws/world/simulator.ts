import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { describe, it } from 'vitest';
import { eventually } from '../../http.ts';

/**
 * Simulators of AWS that others wrote. "Stock moto" is moto as it is published. "The overlay" is moto with a
 * CloudFormation that takes its time, rolls back and fails to delete, as the real one does; it is not part of this
 * repository and is used where it is found.
 */
export interface Simulator {
  url: string;
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '..', '..', '..');
const overlayFile = resolve(process.env.ALM_MOTOPLUS ?? join(root, '..', 'shared', 'tools', 'motoplus.py'));
const overlayIsThere = existsSync(overlayFile);

/** A suite that needs the overlay. Without it the suite is shown as skipped, with the reason in its name. */
export function describeOnOverlay(name: string, suite: () => void): void {
  if (overlayIsThere) describe(name, suite);
  else {
    const reason = 'NOT RUN: the CloudFormation overlay motoplus.py was not found (ALM_MOTOPLUS names it)';
    console.warn(`${name}: ${reason}`);
    describe.skip(`${name} — ${reason}`, () => it('needs the overlay', () => undefined));
  }
}

const python = (): string => {
  const path = process.env.ALM_TEST_PYTHON;
  if (!path) throw new Error('ALM_TEST_PYTHON is not set: run this through scripts/with-moto.sh.');
  return path;
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (!address || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}

/** Simulators that run; they go when the tests go, also when the tests fail. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

const answers = async (url: string): Promise<boolean> => {
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
    // A certificate that was asked for is issued at once.
    env: { PATH: process.env.PATH, MOTO_ACM_VALIDATION_WAIT: '0', ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  child.stderr?.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-4000)));
  running.add(child);
  const ended = once(child, 'close').then(() => void running.delete(child));
  const url = `http://127.0.0.1:${port}`;
  // Also the first call, which moto answers slowly: it loads every service it knows.
  await eventually(
    () => answers(url),
    (yes) => yes || child.exitCode !== null,
    60,
  );
  if (child.exitCode !== null) throw new Error(`The simulator does not start: ${words}`);
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
  /** How long each resource takes. */
  delaySeconds: number;
  /** Virtual networks a region may have, the default one included. */
  networkLimit?: number;
  /** The overlay's own calls have a user of their own, so that they pass when moto asks for rights. */
  withRights?: boolean;
}

/** Which members of a resource cannot be changed stands in the linter's copy of the published schemas. */
const schemas = (): string =>
  execFileSync(python(), [
    '-c',
    'import cfnlint, os; print(os.path.join(os.path.dirname(cfnlint.__file__), "data", "schemas"))',
  ])
    .toString()
    .trim();

/**
 * moto locks nothing: a thread that goes through a dictionary while another changes it breaks down, and a stack of the
 * overlay's fails. So here a dictionary of moto is gone through as it was at the beginning. Nor may two threads make a
 * client of boto3 at the same time.
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

/** The key is the one the overlay calls moto with. */
const userWithRights = `
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
  withRights = false,
}: OverlaySettings): Promise<Simulator> {
  const program = steadyMoto + (withRights ? userWithRights : '') + overlay;
  return start(['-c', program, overlayFile], {
    MOTOPLUS_DELAY: String(delaySeconds),
    MOTOPLUS_VPC_LIMIT: String(networkLimit),
    MOTOPLUS_SCHEMAS: schemas(),
  });
}
