import { type Static, Type } from 'typebox';
import { affectedStores, returningStores } from './v3/schemas/data.ts';

const position = (what: string) =>
  Type.Optional(
    Type.Integer({ minimum: 1, description: `${what} in a text that cannot be parsed, counted from 1.` }),
  );

const problem = Type.Object({
  path: Type.String(),
  message: Type.String(),
  line: position('Line'),
  column: position('Column'),
});

/**
 * Body of every error reply. Every member is a string, because existing clients decode it into strings; they do not know
 * `problems`, `stores` and `returning`.
 */
export const errorBody = Type.Object(
  {
    code: Type.String({ description: 'Four-digit error code, as a string.' }),
    error: Type.String({ description: 'Machine-readable kind of error.' }),
    message: Type.String({ description: 'What is wrong, as a sentence.' }),
    description: Type.String({ description: 'How to fix it. May be empty.' }),
    request_id: Type.String({
      description: 'Value of the X-Request-Id header. Include it in support requests.',
    }),
    problems: Type.Optional(
      Type.Array(problem, {
        description: 'All problems found in the request, one entry each.',
      }),
    ),
    stores: Type.Optional(affectedStores),
    returning: Type.Optional(returningStores),
    RBAC: Type.Optional(
      Type.String({ description: 'Present when the roles of the caller do not allow the action.' }),
    ),
    errors: Type.Optional(
      Type.Array(Type.Object({ code: Type.String(), message: Type.String() }), {
        description: 'Token endpoint of the registry only: the same error, as its clients read it.',
      }),
    ),
    error_description: Type.Optional(Type.String({ description: 'Token endpoints only (RFC 6749).' })),
  },
  { $id: 'Error' },
);

export type ErrorBody = Static<typeof errorBody>;
