import type { Duplex } from 'node:stream';
import { Client, type ConnectConfig } from 'ssh2';
import type { Secret } from '../basics/secret.ts';
import { algorithmsFor, type HostKey, writeHostKey } from './host-key.ts';
import { readableBySsh } from './private-key.ts';

/** Why there is no connection, in a word for programs and a sentence for people. */
export class SshTrouble extends Error {
  readonly kind: 'unreachable' | 'refused' | 'other host';

  constructor(kind: SshTrouble['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

export interface ConnectOptions {
  stream: Duplex;
  user: string;
  privateKey: Secret;
  /** What the host showed before; null: it was never met. */
  knownHostKey: HostKey | null;
  timeoutMs: number;
}

export interface SshConnection {
  client: Client;
  /** What the host showed now. */
  hostKey: HostKey;
}

const keepaliveMs = 30_000;

const configOf = ({ stream, user, privateKey, knownHostKey, timeoutMs }: ConnectOptions): ConnectConfig => ({
  sock: stream,
  username: user,
  privateKey: readableBySsh(privateKey).reveal(),
  readyTimeout: timeoutMs,
  keepaliveInterval: keepaliveMs,
  keepaliveCountMax: 3,
  algorithms: { serverHostKey: algorithmsFor(knownHostKey) },
});

const troubleOf = (error: Error & { level?: string }): SshTrouble =>
  error.level === 'client-authentication'
    ? new SshTrouble('refused', 'it does not take the key for this user', { cause: error })
    : new SshTrouble('unreachable', error.message, { cause: error });

/** Signed in, but not let do anything. */
export const noChannel = (error: Error): SshTrouble =>
  new SshTrouble('refused', `it lets nobody run anything: ${error.message}`, { cause: error });

/** Signs in on a host. Before anything is signed, the host must show the key it is known by. */
export function connectSsh(options: ConnectOptions): Promise<SshConnection> {
  const { knownHostKey, stream } = options;
  const client = new Client();
  let hostKey: HostKey = '';
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      const isOther = knownHostKey !== null && hostKey !== '' && hostKey !== knownHostKey;
      stream.destroy();
      reject(isOther ? new SshTrouble('other host', hostKey) : troubleOf(error));
    };
    client.on('error', fail); // also after it is ready: what was lost then is told by the channels
    client.once('close', () => fail(new Error('it ended the connection')));
    client.once('ready', () => resolve({ client, hostKey }));
    try {
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
