/** Path below which the service is: empty, or the prefix that a proxy adds. */
const prefixOf = (path: string): string => /^(.*?)\/console(?:\/|$)/.exec(path)?.[1] ?? '';

export const servicePrefix = prefixOf(location.pathname);

export const serviceAddress = (): string => location.origin + servicePrefix;

export const consolePath = `${servicePrefix}/console`;
