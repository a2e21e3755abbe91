/** Written into the bundle when it is made. */
declare const ALM_AGENT_VERSION: string | undefined;

export const version = typeof ALM_AGENT_VERSION === 'undefined' ? 'development' : ALM_AGENT_VERSION;
