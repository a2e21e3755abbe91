declare const ALM_VERSION: string | undefined;

/** Set by the bundler; absent when run from the sources. */
export const version = typeof ALM_VERSION === 'string' ? ALM_VERSION : 'local-build';

/** Servers count their clients by this name. */
export const userAgent = `alm/${version}`;
