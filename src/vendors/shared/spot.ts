/** The message about a spot notice without a target. */
export const noSpotInstance = (instanceId: string | undefined): string =>
  instanceId === undefined
    ? 'There is no running spot instance.'
    : `${instanceId} is not a running spot instance.`;
