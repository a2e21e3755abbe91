import { readFileSync } from 'node:fs';
import { notFound } from '../../basics/failure.ts';
import { docs, docsArea, docsFile } from '../../contract/operational.ts';
import { type Binding, bindFor } from '../http/binding.ts';
import { CompressedFile } from '../http/send/compressed-file.ts';

/** All files are served from here, so the pages work offline. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const headers = {
  'cache-control': 'public, max-age=3600',
  'content-security-policy': contentSecurityPolicy,
};

const html = 'text/html; charset=utf-8';

/** Sources and build output are siblings, so this path works from both. */
const ownFile = (name: string): URL =>
  new URL(`../../../src/server/operational/reference/${name}`, import.meta.url);

/** A name that is not here does not exist, so no request can reach another file. */
const contentTypes = new Map([
  ['reference.css', 'text/css; charset=utf-8'],
  ['reference.js', 'text/javascript; charset=utf-8'],
  ['almanac.svg', 'image/svg+xml'],
]);

function readOwnFile(name: string): CompressedFile {
  const contentType = contentTypes.get(name);
  if (contentType === undefined) throw notFound('File', name);
  return new CompressedFile({ contentType, content: readFileSync(ownFile(name)), headers });
}

/** Makes each file on its first request: most servers never show the reference. */
const onFirstRequest = (make: (name: string) => CompressedFile) => {
  const made = new Map<string, CompressedFile>();
  return (name: string): CompressedFile => {
    const file = made.get(name) ?? make(name);
    made.set(name, file);
    return file;
  };
};

/** The API reference. `pages`: how to make its pages, by the last part of their addresses. */
export function docsBindings<A>(pages: () => ReadonlyMap<string, () => string>): Binding<A>[] {
  const bind = bindFor<A>();
  const page = onFirstRequest((name) => {
    const make = pages().get(name);
    if (!make) throw notFound('Page', name);
    return new CompressedFile({ contentType: html, content: Buffer.from(make()), headers });
  });
  const file = onFirstRequest(readOwnFile);
  return [
    bind(docs, ({ headers: request }) => page('').answer(request)),
    bind(docsArea, ({ params, headers: request }) => page(params.area).answer(request)),
    bind(docsFile, ({ params, headers: request }) => file(params.file).answer(request)),
  ];
}
