import type { Service } from './permissions/calls.ts';

/** Regions whose older services have one address for all of them. */
const withoutRegion: Readonly<Partial<Record<Service, readonly string[]>>> = {
  ess: ['cn-beijing', 'cn-hangzhou', 'cn-qingdao', 'cn-shanghai', 'cn-shenzhen'],
  'r-kvstore': ['cn-hangzhou', 'cn-heyuan', 'cn-shanghai', 'cn-wulanchabu'],
  rds: ['cn-beijing', 'cn-hangzhou', 'cn-heyuan', 'cn-hongkong', 'cn-qingdao', 'cn-shanghai', 'cn-shenzhen'],
  slb: ['cn-hangzhou'],
};

/** As the SDK wants it: the host without a scheme. */
interface Endpoint {
  endpoint: string;
  protocol: 'http' | 'https';
}

/** Where a service answers for a region. `override`: a URL that replaces all of them. */
export function endpointOf(service: Service, region: string, override: string | null): Endpoint {
  if (override !== null) {
    const { host, protocol } = new URL(override);
    return { endpoint: host, protocol: protocol === 'http:' ? 'http' : 'https' };
  }
  const isGlobal = service === 'ros' || withoutRegion[service]?.includes(region);
  const place = isGlobal ? service : `${service}.${region}`;
  return { endpoint: `${place}.aliyuncs.com`, protocol: 'https' };
}
