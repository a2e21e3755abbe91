import { type Static, Type } from 'typebox';

/** The one error body. Every member is a string, because existing clients decode it into strings. */
export const errorBody = Type.Object(
  {
    code: Type.String({ description: 'Four digits, as text.' }),
    error: Type.String({ description: 'The kind of failure, one machine word.' }),
    message: Type.String({ description: 'What went wrong, a sentence for people.' }),
    description: Type.String({ description: 'What to do about it; may be empty.' }),
    request_id: Type.String({
      description: 'The same as the X-Request-Id header; name it when asking for help.',
    }),
    problems: Type.Optional(
      Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
        description: 'Everything that is wrong with the request, one entry each.',
      }),
    ),
    RBAC: Type.Optional(Type.String({ description: 'Present when roles do not allow the action.' })),
    error_description: Type.Optional(
      Type.String({ description: 'Only from the token endpoints (RFC 6749).' }),
    ),
  },
  { $id: 'Error' },
);

export type ErrorBody = Static<typeof errorBody>;
