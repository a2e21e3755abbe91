import { Type } from 'typebox';

const byPath = (value: ReturnType<typeof Type.Unknown>, description: string) =>
  Type.Record(Type.String(), value, { description });

/** How two templates differ. */
export const templateDiff = Type.Object(
  {
    new: Type.Array(byPath(Type.Unknown(), 'One member: the path, and its value.'), {
      description: 'What only the target has; empty when nothing is new.',
    }),
    removed: Type.Union([byPath(Type.Unknown(), 'From path to old value.'), Type.Array(Type.Unknown())], {
      description:
        'What only the source has, from path to old value; an empty list when nothing was removed.',
    }),
    edited: Type.Record(Type.String(), Type.Object({ oldvalue: Type.Unknown(), newvalue: Type.Unknown() }), {
      description: 'What both have with different values, from path to both.',
    }),
  },
  {
    $id: 'TemplateDiff',
    description:
      'Paths are member names joined by `/`. Layers are matched by their `flag`, which stands in the path unless both ' +
      'templates have exactly one layer; entries of other lists are matched by position, counted from 1. An older ' +
      'spelling of a member is no difference. Of the vendor section only cred and region are compared. A secret is ' +
      'never shown, so whether it changed is not told.',
  },
);
