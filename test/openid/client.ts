/** Almanac as a client of the provider. */
export const client = { client_id: 'almanac', client_secret: 'secret of Almanac at the provider' };
