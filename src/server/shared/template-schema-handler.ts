import { createHash } from 'node:crypto';
import { readTemplateSchema, type templateSchemaRoutes } from '../../contract/v3/cloud/template-schema.ts';
import type { Actor } from '../../operations/access/access.ts';
import { templateSchema } from '../../operations/documents/template-schema.ts';
import type { Service } from '../../operations/service.ts';
import { type Handlers, noBody, reply } from '../http/binding.ts';

function makeReplies(service: Service) {
  const schema = templateSchema(service, readTemplateSchema.path);
  const digest = createHash('sha256').update(JSON.stringify(schema)).digest('base64url').slice(0, 22);
  // Weak: the bytes differ when the reply is compressed.
  const headers = { etag: `W/"${digest}"`, 'cache-control': 'public, max-age=3600' };
  const isCurrent = (known: string): boolean => known === '*' || known.includes(`"${digest}"`);
  return (known: string) =>
    isCurrent(known) ? reply({ status: 304, headers, body: noBody }) : reply({ headers, body: schema });
}

/** Made on the first request: only then is the address of the server known. */
export function templateSchemaHandlers(service: Service): Handlers<typeof templateSchemaRoutes, Actor> {
  let answer: ReturnType<typeof makeReplies> | undefined;
  return {
    readTemplateSchema: ({ headers }) => (answer ??= makeReplies(service))(headers['if-none-match'] ?? ''),
  };
}
