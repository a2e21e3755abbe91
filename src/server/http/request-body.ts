import { parse as parseForm } from 'node:querystring';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../../basics/failure.ts';
import type { BodyKind, DocumentBody } from '../../contract/route.ts';
import { refuseDeepNesting } from './json-nesting.ts';

export const bodyLimit = 1024 * 1024;

/** What a body turned out to be, before it is checked against the route. */
export type ReceivedBody =
  | { kind: 'json'; value: unknown }
  | { kind: 'form'; fields: Record<string, unknown> }
  | { kind: 'document'; document: DocumentBody };

const formType = 'application/x-www-form-urlencoded';
const yamlTypes = new Set(['application/x-yaml', 'application/yaml', 'text/yaml', 'text/x-yaml']);

const mediaType = (header: string | undefined): string =>
  (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
const isJson = (type: string): boolean => type === 'application/json' || type.endsWith('+json');

const unsupported = (type: string, accepted: string): Failure =>
  new Failure('unsupported_media_type', `The Content-Type ${type} is not understood here`, {
    description: `Send ${accepted}.`,
  });

/** The position only: the parser's own message quotes the body, which may hold secrets. */
const whereItStopped = (error: unknown, text: string): string => {
  const position = /at position (\d+)/.exec(String(error))?.[1];
  if (position === undefined) return '';
  const before = text.slice(0, Number(position)).split('\n');
  return `The parser stopped at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}.`;
};

const refusePoison = (_key: string, value: unknown): unknown => {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__'))
    throw new Failure('invalid_request', 'The body has a member named __proto__, which is not allowed');
  return value;
};

const parseJson = (text: string): unknown => {
  refuseDeepNesting(text);
  try {
    return JSON.parse(text, text.includes('__proto__') || text.includes('\\u') ? refusePoison : undefined);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('invalid_request', 'The body is not valid JSON', {
      description: whereItStopped(error, text),
    });
  }
};

const parseFields = (text: string): Record<string, unknown> => {
  const fields = parseForm(text, '&', '=', { maxKeys: 0 });
  if (Object.hasOwn(fields, '__proto__'))
    throw new Failure('invalid_request', 'The body has a field named __proto__, which is not allowed');
  return fields;
};

/** Templates are JSON or YAML; where the sender does not say which, the first character does. */
const guessedFormat = (text: string): DocumentBody['format'] => (/^\s*[{["]/.test(text) ? 'json' : 'yaml');

const readDocument = (type: string, text: string): DocumentBody => {
  if (isJson(type)) return { text, format: 'json' };
  if (yamlTypes.has(type)) return { text, format: 'yaml' };
  if (type === 'text/plain' || type === '') return { text, format: guessedFormat(text) };
  if (type !== formType) throw unsupported(type, 'JSON, YAML, or a form with the field template');
  const field = parseFields(text)['template'];
  if (typeof field !== 'string')
    throw new Failure('invalid_request', 'The form must have the field template exactly once', {
      problems: [{ path: 'template', message: 'template not specified' }],
    });
  return { text: field, format: guessedFormat(field) };
};

const readBody = (kind: BodyKind, type: string, text: string): ReceivedBody | undefined => {
  if (kind === 'none') return undefined;
  if (kind === 'document') return { kind: 'document', document: readDocument(type, text) };
  if (text.trim() === '') return undefined;
  if (type === formType) return { kind: 'form', fields: parseFields(text) };
  if (isJson(type) || type === '') return { kind: 'json', value: parseJson(text.replace(/^\uFEFF/, '')) };
  throw unsupported(type, `application/json or ${formType}`);
};

const readRequest = (request: FastifyRequest, text: string): ReceivedBody | undefined => {
  const kind = request.routeOptions.config.route?.bodyKind ?? 'none';
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (kind !== 'none' && encoding !== 'identity')
    throw new Failure('unsupported_media_type', `The Content-Encoding ${encoding} is not understood here`);
  return readBody(kind, mediaType(request.headers['content-type']), text);
};

/** One parser for every media type: what a body means depends on the route, not on the header alone. */
export const readBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (request, text, done) => {
    try {
      done(null, readRequest(request, String(text)));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
};
