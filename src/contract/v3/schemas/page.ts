import { Type } from 'typebox';

/** Query parameters of lists that return pages. */
export const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 1000, description: 'Maximum number of entries to return.' }),
);

export const cursor = Type.Optional(
  Type.String({ description: 'Value of the X-Next-Cursor header of the previous page.' }),
);
