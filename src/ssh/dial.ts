import { BlockList, connect, isIP } from 'node:net';
import type { Duplex } from 'node:stream';

/** Where an instance answers to ssh. */
export interface Address {
  host: string;
  port: number;
}

/** Opens the way to an instance; whoever runs the service may have to take another one than plain TCP. */
export type Dial = (to: Address, signal: AbortSignal) => Promise<Duplex>;

/** This machine, its link, and nobody: no instance of a cloud is there, but services that trust their neighbours are. */
const neverInstances = new BlockList();
neverInstances.addSubnet('127.0.0.0', 8, 'ipv4');
neverInstances.addSubnet('169.254.0.0', 16, 'ipv4');
neverInstances.addSubnet('0.0.0.0', 8, 'ipv4');
neverInstances.addSubnet('224.0.0.0', 3, 'ipv4');
neverInstances.addAddress('::', 'ipv6');
neverInstances.addAddress('::1', 'ipv6');
neverInstances.addSubnet('fe80::', 10, 'ipv6');
neverInstances.addSubnet('ff00::', 8, 'ipv6');

/** An address written as digits, so that no name is ever looked up, and one that an instance can have. */
export function isInstanceAddress(host: string): boolean {
  const version = isIP(host);
  return version !== 0 && !neverInstances.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

export const dialTcp: Dial = ({ host, port }, signal) =>
  new Promise((resolve, reject) => {
    if (!isInstanceAddress(host)) {
      reject(new Error(`${host} is not an address of an instance`));
      return;
    }
    const socket = connect({ host, port, noDelay: true });
    const giveUp = () => socket.destroy(new Error('it took too long'));
    signal.addEventListener('abort', giveUp);
    const settled = () => signal.removeEventListener('abort', giveUp);
    socket.once('error', (error) => {
      settled();
      reject(error);
    });
    socket.once('connect', () => {
      settled();
      resolve(socket);
    });
  });
