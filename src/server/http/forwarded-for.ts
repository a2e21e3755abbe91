import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

const withPort = /^(?:\[([0-9A-Fa-f:.]{2,45})\]|([0-9.]{7,15}))(?::\d{1,5})?$/;

/** Some balancers add the port of the connection. Null: not an address. */
function addressIn(text: string): string | null {
  if (isIP(text)) return text;
  const [, six, four] = withPort.exec(text) ?? [];
  const address = six ?? four ?? '';
  return isIP(address) ? address : null;
}

/**
 * Leaves only addresses in the header, without ports. What is left of something else was not written by a trusted proxy. Without any
 * address, the caller is the other end of the connection.
 */
export function cleanForwardedFor(headers: IncomingHttpHeaders): void {
  const header = headers['x-forwarded-for'];
  if (header === undefined) return;
  const addresses = String(header)
    .split(',')
    .map((part) => addressIn(part.trim()));
  const valid = addresses.slice(addresses.lastIndexOf(null) + 1);
  if (valid.length > 0) headers['x-forwarded-for'] = valid.join(', ');
  else delete headers['x-forwarded-for'];
}
