/** Path under which browsers reach a server with this public URL; empty: the root. */
export const pathPrefix = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/$/, '');
