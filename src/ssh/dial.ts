import { BlockList, connect, isIP } from 'node:net';
import type { Duplex } from 'node:stream';

/** Address of an instance's ssh server. */
interface Address {
  host: string;
  port: number;
}

/** Opens a connection to an instance; the operator may use something other than plain TCP. */
export type Dial = (to: Address, signal: AbortSignal) => Promise<Duplex>;

/** Loopback, link-local, unspecified and multicast: never instances, but possibly services that trust local clients. */
const neverInstances = new BlockList();
neverInstances.addSubnet('127.0.0.0', 8, 'ipv4');
neverInstances.addSubnet('169.254.0.0', 16, 'ipv4');
neverInstances.addSubnet('0.0.0.0', 8, 'ipv4');
neverInstances.addSubnet('224.0.0.0', 3, 'ipv4');
neverInstances.addAddress('::', 'ipv6');
neverInstances.addAddress('::1', 'ipv6');
neverInstances.addSubnet('fe80::', 10, 'ipv6');
neverInstances.addSubnet('ff00::', 8, 'ipv6');

/** Accepts only numeric addresses, so that no name is resolved, and only those an instance can have. */
export function isInstanceAddress(host: string): boolean {
  const version = isIP(host);
  return version !== 0 && !neverInstances.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

export const dialTcp: Dial = ({ host, port }, signal) =>
  new Promise((resolve, reject) => {
    if (!isInstanceAddress(host)) {
      reject(new Error(`${host} is not the address of an instance`));
      return;
    }
    const socket = connect({ host, port, noDelay: true });
    const abort = () => socket.destroy(new Error('connection timed out'));
    signal.addEventListener('abort', abort);
    const settled = () => signal.removeEventListener('abort', abort);
    socket.once('error', (error) => {
      settled();
      reject(error);
    });
    socket.once('connect', () => {
      settled();
      resolve(socket);
    });
  });
