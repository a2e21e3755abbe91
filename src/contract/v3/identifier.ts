import { Type } from 'typebox';

/** An id somebody else chose: any text in one line, short enough to keep. */
export const identifier = (description: string) =>
  Type.String({ minLength: 1, maxLength: 128, pattern: '^[^\\u0000-\\u001f\\u007f]*$', description });

/** The same where senders leave it empty. */
export const identifierOrNothing = (description: string) =>
  Type.Optional(Type.String({ maxLength: 128, pattern: '^[^\\u0000-\\u001f\\u007f]*$', description }));
