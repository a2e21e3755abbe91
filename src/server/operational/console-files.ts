import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure, notFound } from '../../basics/failure.ts';
import { pathOnly } from '../http/unrouted.ts';

export interface ConsoleOptions {
  /** Output of the build. */
  folder: string;
  /** Path under which browsers reach this server, if it is not the root. */
  prefix: () => string;
}

/** Whether the browser that asks for the page has a session. */
export type SignedIn = (request: FastifyRequest) => Promise<boolean>;

/** Scripts and styles come from files only. Inline ones, frames and other hosts are refused. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
};

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
};

const encodings = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const;

/** Whether the caller takes an encoding: named, and not with weight 0. */
const takes = (header: string, name: string): boolean =>
  header.split(',').some((part) => {
    const [encoding = '', weight = ''] = part.split(';').map((text) => text.trim().toLowerCase());
    return encoding === name && !/^q=0(\.0*)?$/.test(weight);
  });

/** The files of the build by name. A name that is not here does not exist, so no request can reach another file. */
class ConsoleFiles {
  readonly #folder: string;
  readonly #names: ReadonlySet<string>;
  /** Read on the first request, and only in the encodings that browsers ask for. */
  readonly #contents = new Map<string, Promise<Buffer>>();

  constructor(folder: string) {
    this.#folder = folder;
    this.#names = new Set(namesIn(folder));
  }

  has = (name: string): boolean => this.#names.has(name);

  read(name: string): Promise<Buffer> {
    const known = this.#contents.get(name);
    if (known) return known;
    const read = readFile(join(this.#folder, name));
    this.#contents.set(name, read);
    // The next request reads it again: the reason may be gone, such as too many open files.
    read.catch(() => this.#contents.delete(name));
    return read;
  }
}

/** Empty: not built. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
      name.replaceAll('\\', '/'),
    );
  } catch {
    return [];
  }
}

const sendFile = async (files: ConsoleFiles, name: string, reply: FastifyReply): Promise<Buffer> => {
  const contentType = contentTypes[extname(name)];
  if (!files.has(name) || contentType === undefined) throw notFound('File', name);
  const accepted = reply.request.headers['accept-encoding'] ?? '';
  const chosen = encodings.find((each) => takes(accepted, each.name) && files.has(name + each.ending));
  const content = await files.read(name + (chosen?.ending ?? ''));
  // The build puts a digest of the content into the name.
  reply.headers({ vary: 'Accept-Encoding', 'cache-control': 'public, max-age=31536000, immutable' });
  if (chosen) reply.header('content-encoding', chosen.name);
  reply.type(contentType);
  return content;
};

/** What every page of the console asks for first. The browser loads it while it loads the scripts. */
const firstRequests = ['/v3/session', '/v3/alm/stack?view=summary'];

const kinds: Readonly<Record<string, string>> = { js: 'modulepreload', css: 'preload; as=style' };

/** The files of the page come first: the list must not delay them. */
function preloads(page: string, prefix: string): string {
  const files = [...page.matchAll(/(?:src|href)="([^"]+\.(js|css))"/g)];
  const links = files.map(([, path, ending = '']) => `<${path}>; rel=${kinds[ending]}; crossorigin`);
  const requests = firstRequests.map((path) => `<${prefix}${path}>; rel=preload; as=fetch; crossorigin`);
  return [...links, ...requests].join(', ');
}

const tagOf = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;

/** What the browser chose, see console/preferences.ts. In the page itself, it looks right before any script has run. */
const themed = (html: string, cookies: string): string => {
  const theme = /(?:^|;\s*)alm-theme=(dark|light)(?:;|$)/.exec(cookies)?.[1];
  return theme === undefined ? html : html.replace('<html ', `<html data-theme="${theme}" `);
};

interface Page {
  files: ConsoleFiles;
  prefix: string;
  /** Without a session, what is refused would only put errors into the browser's console. */
  isSignedIn: boolean;
}

/** The page has relative addresses; it is served at many, so they are completed here. */
const sendPage = async ({ files, prefix, isSignedIn }: Page, reply: FastifyReply): Promise<string> => {
  if (!files.has('index.html'))
    throw new Failure('not_found', 'The web console is not built', {
      description: 'Run npm run build, and start the server again.',
    });
  const html = themed((await files.read('index.html')).toString('utf8'), reply.request.headers.cookie ?? '');
  const page = html.replaceAll('="./', `="${prefix}/console/`);
  const link = isSignedIn ? preloads(page, prefix) : '';
  // A browser keeps the headers of a page that has not changed.
  const etag = tagOf(page + link);
  reply.headers({ ...pageHeaders, etag, ...(link && { link }) });
  if (reply.request.headers['if-none-match'] === etag) {
    reply.code(304);
    return '';
  }
  reply.type('text/html; charset=utf-8');
  return page;
};

/** Serves the web console: its files, and for every other path below it the page, which shows the screen of the path. */
export function serveConsole(
  app: FastifyInstance,
  { folder, prefix }: ConsoleOptions,
  signedIn: SignedIn,
): void {
  const files = new ConsoleFiles(folder);
  const pageFor = async (request: FastifyRequest, reply: FastifyReply): Promise<string> =>
    sendPage({ files, prefix: prefix(), isSignedIn: await signedIn(request) }, reply);
  const always = { config: { isAlwaysAnswered: true } } as const;
  app.get('/console', always, async (request, reply) => {
    // The router treats both spellings alike.
    if (/^\/console(\?|$)/.test(request.url)) return reply.redirect(`${prefix()}/console/`, 303);
    return pageFor(request, reply);
  });
  app.get('/console/*', always, async (request: FastifyRequest, reply) => {
    const name = pathOnly(request.url).slice('/console/'.length);
    const isFile = (name.split('/').at(-1) ?? '').includes('.');
    return isFile ? sendFile(files, name, reply) : pageFor(request, reply);
  });
}
