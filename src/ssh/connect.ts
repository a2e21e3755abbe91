import { createRequire } from 'node:module';
import type { Duplex } from 'node:stream';
import type * as Ssh2 from 'ssh2';
import type { Client, ConnectConfig } from 'ssh2';
import type { Secret } from '../basics/secret.ts';
import { algorithmsFor, type HostKey, writeHostKey } from './host-key.ts';
import { toSshFormat } from './private-key.ts';

/** Failed connection: `kind` for programs, the message for people. */
export class SshError extends Error {
  readonly kind: 'unreachable' | 'refused' | 'host key changed';

  constructor(kind: SshError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

export interface ConnectOptions {
  stream: Duplex;
  user: string;
  privateKey: Secret;
  /** Key the host presented before; null: first connection. */
  knownHostKey: HostKey | null;
  timeoutMs: number;
}

export interface SshConnection {
  client: Client;
  /** Key the host presented. */
  hostKey: HostKey;
}

/** Loaded on first use: it takes a tenth of the start. At once, so that no error of the stream is missed. */
const load = createRequire(import.meta.url);

const keepaliveMs = 30_000;

const configOf = ({ stream, user, privateKey, knownHostKey, timeoutMs }: ConnectOptions): ConnectConfig => ({
  sock: stream,
  username: user,
  privateKey: toSshFormat(privateKey).reveal(),
  readyTimeout: timeoutMs,
  keepaliveInterval: keepaliveMs,
  keepaliveCountMax: 3,
  algorithms: { serverHostKey: algorithmsFor(knownHostKey) },
});

const errorFrom = (error: Error & { level?: string }): SshError =>
  error.level === 'client-authentication'
    ? new SshError('refused', 'it rejects the key for this user', { cause: error })
    : new SshError('unreachable', error.message, { cause: error });

/** Signed in, but no channel could be opened. */
export const noChannel = (error: Error): SshError =>
  new SshError('refused', `it does not allow commands: ${error.message}`, { cause: error });

/** Signs in on a host. The host key is verified before authentication. */
export function connectSsh(options: ConnectOptions): Promise<SshConnection> {
  const { knownHostKey, stream } = options;
  let hostKey: HostKey = '';
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      const hasChanged = knownHostKey !== null && hostKey !== '' && hostKey !== knownHostKey;
      stream.destroy();
      reject(hasChanged ? new SshError('host key changed', hostKey) : errorFrom(error));
    };
    try {
      const ssh2: typeof Ssh2 = load('ssh2');
      const client = new ssh2.Client();
      client.on('error', fail); // stays attached after `ready`; from then on the channels report a lost connection
      client.once('close', () => fail(new Error('it closed the connection')));
      client.once('ready', () => resolve({ client, hostKey }));
      client.connect({
        ...configOf(options),
        hostVerifier: (key: Buffer) => {
          hostKey = writeHostKey(key);
          return knownHostKey === null || hostKey === knownHostKey;
        },
      });
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  });
}
