import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { notFound } from '../../basics/failure.ts';
import { type RawReply, rawReply } from '../http/binding.ts';

const packages = createRequire(import.meta.url);

/** The sources are beside the built program, so both find the page at the same place. */
const own = (name: string): URL => new URL(`../../../src/server/terminal/page/${name}`, import.meta.url);

const script = 'text/javascript; charset=utf-8';
const style = 'text/css; charset=utf-8';

const files: Readonly<Record<string, { place: URL | string; contentType: string }>> = {
  'terminal.js': { place: own('terminal.js'), contentType: script },
  'terminal.css': { place: own('terminal.css'), contentType: style },
  'xterm.js': { place: packages.resolve('@xterm/xterm/lib/xterm.js'), contentType: script },
  'xterm.css': { place: packages.resolve('@xterm/xterm/css/xterm.css'), contentType: style },
  'addon-fit.js': { place: packages.resolve('@xterm/addon-fit/lib/addon-fit.js'), contentType: script },
};

/** Everything comes from this server. The terminal sets its colours and its grid as inline styles. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const kept = new Map<string, Buffer>();

const read = (place: URL | string): Buffer => {
  const known = kept.get(String(place)) ?? readFileSync(place);
  kept.set(String(place), known);
  return known;
};

/** `prefix`: the path under which browsers see this server, if it is not the root. */
export const terminalPage = (prefix: string): RawReply =>
  rawReply({
    contentType: 'text/html; charset=utf-8',
    headers: {
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
    },
    body: read(own('index.html')).toString('utf8').replaceAll('{prefix}', prefix),
  });

export function terminalFile(name: string): RawReply {
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (!file) throw notFound('File', name);
  const headers = { 'cache-control': 'public, max-age=3600' };
  return rawReply({ contentType: file.contentType, headers, body: read(file.place) });
}
