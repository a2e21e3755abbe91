const plain = (address: string): string => new URL(address).href.replace(/\/+$/, '');

/** Whether two addresses name the same service, however they are written. */
export const isSameAddress = (one: string, other: string): boolean => plain(one) === plain(other);

/** Whether what is sent there can be read on the way: no TLS, and another machine. */
export function isPlaintext(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !/^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
