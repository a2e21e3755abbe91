import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { notFound } from '../../basics/failure.ts';
import { docs, docsFile } from '../../contract/operational.ts';
import {
  type Binding,
  bindFor,
  noBody,
  type RawReply,
  type Reply,
  rawReply,
  reply,
} from '../http/binding.ts';

/** All files are served from here, so the page works offline. It sets inline styles. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const script = 'text/javascript; charset=utf-8';
const style = 'text/css; charset=utf-8';

const initializer = `window.onload = () => {
  SwaggerUIBundle({
    url: '/openapi.json',
    dom_id: '#swagger-ui',
    deepLinking: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    plugins: [SwaggerUIBundle.plugins.DownloadUrl],
    layout: 'StandaloneLayout',
  });
};
`;

const page = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<title>Almanac</title>
<link rel="stylesheet" type="text/css" href="/docs/static/swagger-ui.css">
<link rel="stylesheet" type="text/css" href="/docs/static/index.css">
<link rel="icon" type="image/png" href="/docs/static/favicon-32x32.png" sizes="32x32">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/static/swagger-ui-bundle.js"></script>
<script src="/docs/static/swagger-ui-standalone-preset.js"></script>
<script src="/docs/static/initializer.js"></script>
</body>
</html>
`;

/** Files of the package, by name. A name that is not here does not exist, so no request can reach another file. */
const packageFiles = new Map([
  ['swagger-ui.css', style],
  ['index.css', style],
  ['favicon-32x32.png', 'image/png'],
  ['swagger-ui-bundle.js', script],
  ['swagger-ui-standalone-preset.js', script],
]);

class CachedFile {
  readonly contentType: string;
  readonly content: Buffer;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #etag: string;

  constructor(contentType: string, content: Buffer) {
    this.contentType = contentType;
    this.content = content;
    this.#etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
    this.#headers = {
      etag: this.#etag,
      'cache-control': 'public, max-age=3600',
      'content-security-policy': contentSecurityPolicy,
    };
  }

  /** 304 if the caller names a copy that is still current. */
  answer(ifNoneMatch: string | undefined): RawReply | Reply<never> {
    const known = new Set((ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, '')));
    if (known.has(this.#etag) || known.has('*'))
      return reply<never>({ status: 304, headers: this.#headers, body: noBody });
    return rawReply({ contentType: this.contentType, headers: this.#headers, body: this.content });
  }
}

const packages = createRequire(import.meta.url);
const cache = new Map<string, CachedFile>([
  ['initializer.js', new CachedFile(script, Buffer.from(initializer))],
]);

/** Read on the first request: most servers never show the page. */
function findFile(name: string): CachedFile {
  const cached = cache.get(name);
  if (cached) return cached;
  const contentType = packageFiles.get(name);
  if (contentType === undefined) throw notFound('File', name);
  const file = new CachedFile(
    contentType,
    readFileSync(packages.resolve(`@fastify/swagger-ui/static/${name}`)),
  );
  cache.set(name, file);
  return file;
}

/** The interactive API reference. */
export function docsBindings<A>(): Binding<A>[] {
  const bind = bindFor<A>();
  const html = new CachedFile('text/html; charset=utf-8', Buffer.from(page));
  return [
    bind(docs, ({ headers }) => html.answer(headers['if-none-match'])),
    bind(docsFile, ({ params, headers }) => findFile(params.file).answer(headers['if-none-match'])),
  ];
}
