import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { publicBlobOf } from '../../api/ssh/host.ts';
import { eventually } from '../../http.ts';

/** The line of an authorized_keys file for a private key. */
const authorizedKey = (privateKey: string): string =>
  `ssh-ed25519 ${publicBlobOf(privateKey).toString('base64')}\n`;

/** A real OpenSSH server on a loopback address. */
export class Sshd {
  readonly user = userInfo().username;
  readonly #directory = mkdtempSync(join(tmpdir(), 'almanac-sshd-'));
  readonly #address: string;
  readonly #port = 2222;
  #process: ChildProcess | undefined;

  private constructor(address: string) {
    this.#address = address;
  }

  static async start(address: string, allowedPrivatePem: string): Promise<Sshd> {
    const sshd = new Sshd(address);
    writeFileSync(join(sshd.#directory, 'authorized_keys'), authorizedKey(allowedPrivatePem));
    for (const type of ['rsa', 'ed25519']) sshd.#makeHostKey(type);
    await sshd.listen(['rsa', 'ed25519']);
    return sshd;
  }

  #makeHostKey(type: string): void {
    execFileSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-f', join(this.#directory, type)]);
  }

  async listen(hostKeyTypes: readonly string[]): Promise<void> {
    const config = join(this.#directory, 'config');
    writeFileSync(
      config,
      [
        `ListenAddress ${this.#address}`,
        `Port ${this.#port}`,
        ...hostKeyTypes.map((type) => `HostKey ${join(this.#directory, type)}`),
        `PidFile ${join(this.#directory, 'pid')}`,
        `AuthorizedKeysFile ${join(this.#directory, 'authorized_keys')}`,
        'UsePAM no',
        'StrictModes no',
        'PasswordAuthentication no',
        'PermitRootLogin prohibit-password',
        'SetEnv LANG=C.UTF-8',
      ].join('\n'),
    );
    mkdirSync('/run/sshd', { recursive: true });
    this.#process = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', config], { stdio: 'ignore' });
    await eventually(() => this.#isListening(), Boolean);
  }

  dial = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket = connect(this.#port, this.#address, () => resolve(socket));
      socket.once('error', reject);
    });

  async #isListening(): Promise<boolean> {
    const socket = await this.dial().catch(() => null);
    socket?.destroy();
    return socket !== null;
  }

  async stop(): Promise<void> {
    this.#process?.kill();
    await eventually(
      async () => this.#process?.exitCode ?? this.#process?.signalCode,
      (code) => code !== null,
    );
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
