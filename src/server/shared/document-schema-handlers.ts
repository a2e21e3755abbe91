import { createHash } from 'node:crypto';
import {
  type configurationSchemaRoutes,
  readConfigurationSchema,
} from '../../contract/v2/configuration-schema.ts';
import { readTemplateSchema, type templateSchemaRoutes } from '../../contract/v3/cloud/template-schema.ts';
import type { Actor } from '../../operations/access/access.ts';
import { documentSchema } from '../../operations/documents/document-schemas.ts';
import type { Service } from '../../operations/service.ts';
import { type Handlers, noBody, reply } from '../http/binding.ts';

function makeReplies(schema: object) {
  const digest = createHash('sha256').update(JSON.stringify(schema)).digest('base64url').slice(0, 22);
  // Weak: the bytes differ when the reply is compressed.
  const headers = { etag: `W/"${digest}"`, 'cache-control': 'public, max-age=3600' };
  const isCurrent = (known: string): boolean => known === '*' || known.includes(`"${digest}"`);
  return (known: string) =>
    isCurrent(known) ? reply({ status: 304, headers, body: noBody }) : reply({ headers, body: schema });
}

/** Made on the first request: only then is the address of the server known. */
function madeOnce(make: () => object) {
  let answer: ReturnType<typeof makeReplies> | undefined;
  return ({ headers }: { headers: { 'if-none-match'?: string | undefined } }) =>
    (answer ??= makeReplies(make()))(headers['if-none-match'] ?? '');
}

export const templateSchemaHandlers = (service: Service): Handlers<typeof templateSchemaRoutes, Actor> => ({
  readTemplateSchema: madeOnce(() => documentSchema(service, 'template', readTemplateSchema.path)),
});

export const configurationSchemaHandlers = (
  service: Service,
): Handlers<typeof configurationSchemaRoutes, Actor> => ({
  readConfigurationSchema: madeOnce(() =>
    documentSchema(service, 'configuration', readConfigurationSchema.path),
  ),
});
