import { Type } from 'typebox';

/** An id somebody else chose: any text that is one plain line, short enough to keep and safe to show. */
const form = {
  maxLength: 128,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]*$',
};

export const identifier = (description: string) => Type.String({ ...form, minLength: 1, description });

/** The same where it has to be said, but may be nothing. */
export const identifierOrEmpty = (description: string) => Type.String({ ...form, description });

/** The same where senders leave it out, or leave it empty. */
export const identifierOrNothing = (description: string) =>
  Type.Optional(Type.String({ ...form, description }));
