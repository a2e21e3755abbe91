import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { OpenApiDocument } from '../../contract/openapi.ts';
import { docs } from '../../contract/operational.ts';

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

export const serveDocs = (app: FastifyInstance, document: OpenApiDocument): void => {
  void app.register(swagger, {
    mode: 'static',
    // A copy, because the plugin modifies its input.
    specification: { document: JSON.parse(JSON.stringify(document)) },
  });
  void app.register(swaggerUi, {
    routePrefix: docs.path,
    staticCSP: contentSecurityPolicy,
    uiConfig: { validatorUrl: null, deepLinking: true, tryItOutEnabled: true },
    theme: { title: document.info.title },
  });
};
