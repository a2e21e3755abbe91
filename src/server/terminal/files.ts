import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { entryOf } from '../../basics/entry-of.ts';
import { notFound } from '../../basics/failure.ts';
import { type RawReply, rawReply } from '../http/binding.ts';

const packages = createRequire(import.meta.url);

/** Sources and build output are siblings, so this path works from both. */
const ownFile = (name: string): URL => new URL(`../../../src/server/terminal/page/${name}`, import.meta.url);

const script = 'text/javascript; charset=utf-8';
const style = 'text/css; charset=utf-8';

const files: Readonly<Record<string, { place: URL | string; contentType: string }>> = {
  'terminal.js': { place: ownFile('terminal.js'), contentType: script },
  'terminal.css': { place: ownFile('terminal.css'), contentType: style },
  'xterm.js': { place: packages.resolve('@xterm/xterm/lib/xterm.js'), contentType: script },
  'xterm.css': { place: packages.resolve('@xterm/xterm/css/xterm.css'), contentType: style },
  'addon-fit.js': { place: packages.resolve('@xterm/addon-fit/lib/addon-fit.js'), contentType: script },
};

/** All files are served from here. The terminal sets colors and its grid as inline styles. */
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

const cache = new Map<string, Buffer>();

const read = (place: URL | string): Buffer => {
  const content = cache.get(String(place)) ?? readFileSync(place);
  cache.set(String(place), content);
  return content;
};

/** `prefix`: path under which browsers reach this server, if it is not the root. */
export const terminalPage = (prefix: string): RawReply =>
  rawReply({
    contentType: 'text/html; charset=utf-8',
    headers: {
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
    },
    body: read(ownFile('index.html')).toString('utf8').replaceAll('{prefix}', prefix),
  });

export function terminalFile(name: string): RawReply {
  const file = entryOf(files, name);
  if (!file) throw notFound('File', name);
  const headers = { 'cache-control': 'public, max-age=3600' };
  return rawReply({ contentType: file.contentType, headers, body: read(file.place) });
}
