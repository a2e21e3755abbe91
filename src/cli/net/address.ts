const normalized = (url: string): string => new URL(url).href.replace(/\/+$/, '');

/** Whether two URLs name the same service, however they are written. */
export const isSameAddress = (one: string, other: string): boolean => normalized(one) === normalized(other);

/** Whether requests to the URL leave this machine without TLS. */
export function isPlaintext(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
