import { Type } from 'typebox';

const byPath = (value: ReturnType<typeof Type.Unknown>, description: string) =>
  Type.Record(Type.String(), value, { description });

/** Differences between two templates. */
export const templateDiff = Type.Object(
  {
    new: Type.Array(byPath(Type.Unknown(), 'An object with one member: path and value.'), {
      description: 'Members that only the target has. Empty if there are none.',
    }),
    removed: Type.Union([byPath(Type.Unknown(), 'Map of path to old value.'), Type.Array(Type.Unknown())], {
      description:
        'Members that only the source has: a map of path to old value, or an empty array if there are none.',
    }),
    edited: Type.Record(Type.String(), Type.Object({ oldvalue: Type.Unknown(), newvalue: Type.Unknown() }), {
      description: 'Members with different values: a map of path to old and new value.',
    }),
  },
  {
    $id: 'TemplateDiff',
    description:
      'Paths are member names separated by `/`. Layers are matched by `flag`, which is part of the path unless both ' +
      'templates have exactly one layer. Entries of other arrays are matched by position, starting at 1. Older spellings ' +
      'of member names are not differences. Of the `vendor` section, only `cred` and `region` are compared. Secrets are ' +
      'never returned, so changed secrets are not reported.',
  },
);
