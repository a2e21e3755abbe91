import { parse as parseForm } from 'node:querystring';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import parseSafely from 'secure-json-parse';
import { ownTurn } from '../../basics/clock.ts';
import { Failure } from '../../basics/failure.ts';
import { findJsonError } from '../../basics/json/error.ts';
import { syntaxProblem } from '../../basics/text-position.ts';
import type { BodyKind, DocumentBody } from '../../contract/route.ts';
import { refuseExcessiveJson } from './json-limits.ts';
import { decodeBody, refuseUnreadable, refuseWrongEncoding } from './readable-text.ts';

export const bodyLimit = 1024 * 1024;

/** A parsed body before validation. */
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
  new Failure('unsupported_media_type', `Unsupported Content-Type: ${type}`, {
    description: `Send ${accepted}.`,
  });

/** Not the message of the parser: it quotes the body, which may contain secrets. */
const unreadableJson = (text: string): Failure => {
  const error = findJsonError(text) ?? { offset: 0, message: 'invalid text' };
  const problem = syntaxProblem(text, { language: 'JSON', ...error });
  return new Failure('invalid_request', 'The request body is not valid JSON', {
    description: `Syntax error at line ${problem.line}, column ${problem.column}.`,
    problems: [problem],
  });
};

const forbiddenName = (what: string): Failure =>
  new Failure('invalid_request', `The request body contains a ${what} named __proto__, which is not allowed`);

const parseJson = (text: string): unknown => {
  refuseExcessiveJson(text);
  try {
    // The parser would skip another byte order mark, which the check of the nesting does not.
    if (text.startsWith('\uFEFF')) throw new SyntaxError('Unexpected byte order mark');
    // With `safe`, a body with a member __proto__ gives null.
    const value: unknown = parseSafely(text, null, { constructorAction: 'ignore', safe: true });
    if (value !== null || text.trim() === 'null') return value;
  } catch {
    throw unreadableJson(text);
  }
  throw forbiddenName('member');
};

const readJson = (text: string): unknown => {
  const value = parseJson(text.replace(/^\uFEFF/, ''));
  refuseUnreadable(value);
  return value;
};

/** More than any form has; building an object of hundreds of thousands of fields would block the server. */
const maxFields = 1000;

const parseFields = (text: string): Record<string, unknown> => {
  if (text.split('&', maxFields + 1).length > maxFields)
    throw new Failure('too_large', `The form has more than ${maxFields} fields`, {
      description: 'Send JSON instead, or fewer fields.',
    });
  refuseWrongEncoding(text);
  const fields = parseForm(text, '&', '=', { maxKeys: 0 });
  if (Object.hasOwn(fields, '__proto__')) throw forbiddenName('field');
  refuseUnreadable(fields);
  return fields;
};

/** Templates are JSON or YAML; without a content type, the first character decides. */
const guessedFormat = (text: string): DocumentBody['format'] => (/^\s*[{["]/.test(text) ? 'json' : 'yaml');

const readDocument = (type: string, text: string): DocumentBody => {
  if (isJson(type)) return { text, format: 'json' };
  if (yamlTypes.has(type)) return { text, format: 'yaml' };
  if (type === 'text/plain' || type === '') return { text, format: guessedFormat(text) };
  if (type !== formType) throw unsupported(type, 'JSON, YAML, or a form with the field template');
  const field = parseFields(text)['template'];
  if (typeof field !== 'string')
    throw new Failure('invalid_request', 'The form must contain the field template exactly once', {
      problems: [{ path: 'template', message: 'template not specified' }],
    });
  return { text: field, format: guessedFormat(field) };
};

const readBody = (kind: Exclude<BodyKind, 'none'>, type: string, text: string): ReceivedBody | undefined => {
  if (kind === 'document') return { kind: 'document', document: readDocument(type, text) };
  if (text.trim() === '') return undefined;
  if (type === formType) return { kind: 'form', fields: parseFields(text) };
  if (isJson(type) || type === '') return { kind: 'json', value: readJson(text) };
  throw unsupported(type, `application/json or ${formType}`);
};

const readRequest = (request: FastifyRequest, bytes: Buffer): ReceivedBody | undefined => {
  const kind = request.routeOptions.config.route?.bodyKind ?? 'none';
  if (kind === 'none') return undefined;
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    throw new Failure('unsupported_media_type', `Unsupported Content-Encoding: ${encoding}`);
  return readBody(kind, mediaType(request.headers['content-type']), decodeBody(bytes));
};

/** Reading a longer body takes a noticeable part of the time that other requests may wait. */
const maxBytesAtOnce = 16 * 1024;

/** Registers one parser for all media types, because parsing depends on the route as well as on the header. */
export const readBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit },
    async (request: FastifyRequest, bytes: Buffer) => {
      if (bytes.length > maxBytesAtOnce) await ownTurn();
      return readRequest(request, bytes);
    },
  );
};
