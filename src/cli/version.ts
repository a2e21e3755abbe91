declare const ALM_VERSION: string | undefined;

/** Written in by the bundler; run from the sources there is none. */
export const version = typeof ALM_VERSION === 'string' ? ALM_VERSION : 'local-build';
