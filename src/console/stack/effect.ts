/** Why an act is off whose effect must be shown first; undefined once it is there. */
export const whyNoEffect = ({ data, error }: { data: unknown; error: unknown }): string | undefined => {
  if (data) return undefined;
  return error ? 'The effect could not be read.' : 'The effect is being computed …';
};
