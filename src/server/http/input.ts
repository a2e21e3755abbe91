import type { FastifyRequest } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { Failure } from '../../basics/failure.ts';
import type { Problem } from '../../basics/problem.ts';
import type { Route } from '../../contract/route.ts';
import type { RequestFacts } from './binding.ts';
import type { ReceivedBody } from './request-body.ts';
import { coerceText, type ProblemFinder, problemFinder } from './validation.ts';

/** A request before validation. */
export interface Received {
  Params: Record<string, unknown>;
  Querystring: Record<string, unknown>;
  Body: ReceivedBody | undefined;
}

export const factsOf = (request: Pick<FastifyRequest<Received>, 'id' | 'ip' | 'headers'>): RequestFacts => ({
  id: request.id,
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
});

export interface CheckedInput {
  params: unknown;
  query: unknown;
  headers: unknown;
  body: unknown;
}

interface Checked {
  value: unknown;
  problems: Problem[];
}

type TextCheck = (fields: Record<string, unknown>) => Checked;
type BodyCheck = (body: ReceivedBody | undefined) => Checked;

const isObjectSchema = (schema: TSchema): schema is TObject => 'properties' in schema;

const checkText = (schema: TObject, find: ProblemFinder, fields: Record<string, unknown>): Checked => {
  const { value, problems } = coerceText(schema, fields);
  return { value, problems: [...problems, ...find(value)] };
};

const textCheck = (schema: TObject | undefined, subject: string): TextCheck => {
  if (!schema) return (fields) => ({ value: fields, problems: [] });
  const find = problemFinder(schema, subject);
  return (fields) => checkText(schema, find, fields);
};

const documentCheck: BodyCheck = (body) => ({
  value: body?.kind === 'document' ? body.document : { text: '', format: 'json' },
  problems: [],
});

const fieldsCheck = (schema: TSchema): BodyCheck => {
  const find = problemFinder(schema, 'The body');
  return (body) => {
    if (body?.kind === 'form' && isObjectSchema(schema)) return checkText(schema, find, body.fields);
    // A missing body counts as an empty object, so that the error lists the required members.
    const value = body?.kind === 'form' ? body.fields : body?.kind === 'json' ? body.value : {};
    return { value, problems: find(value) };
  };
};

const bodyCheck = (route: Route): BodyCheck => {
  if (route.bodyKind === 'document') return documentCheck;
  if (route.bodyKind === 'fields' && route.body) return fieldsCheck(route.body);
  return () => ({ value: null, problems: [] });
};

const summarize = (problems: readonly Problem[]): string => {
  const messages = problems.slice(0, 5).map((problem) => problem.message);
  const more = problems.length - messages.length;
  return messages.join('; ') + (more > 0 ? `; and ${more} more` : '');
};

/** The result validates a request and throws all problems at once. */
export const inputChecker = (route: Route): ((request: FastifyRequest<Received>) => CheckedInput) => {
  const checkParams = textCheck(route.params, 'The path');
  const checkQuery = textCheck(route.query, 'The query');
  const checkHeaders = textCheck(route.headers, 'The headers');
  const checkBody = bodyCheck(route);
  return (request) => {
    const params = checkParams(request.params);
    const query = checkQuery(request.query);
    const headers = checkHeaders(request.headers);
    const body = checkBody(request.body);
    const problems = [...params.problems, ...query.problems, ...headers.problems, ...body.problems];
    if (problems.length > 0) throw new Failure('invalid_request', summarize(problems), { problems });
    return { params: params.value, query: query.value, headers: headers.value, body: body.value };
  };
};
