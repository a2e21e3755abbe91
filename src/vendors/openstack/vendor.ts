import type { Clock } from '../../basics/clock.ts';
import { type AuthUrls, findAuthUrl } from '../auth-urls.ts';
import type { DocumentChange, Keeping } from '../data.ts';
import { RegionCache } from '../shared/region-cache.ts';
import type { Vendor, VendorAccess } from '../vendor.ts';
import { verify } from './act/verify.ts';
import { assume } from './assume.ts';
import { catalog } from './catalog.ts';
import type { Choices } from './choices.ts';
import { chooseFor } from './choose.ts';
import { type Client, type CountCall, makeClient } from './client.ts';
import { remarksOf } from './compile/notes.ts';
import { compile } from './compile.ts';
import { keptAs, replacedStores, storesOf } from './data.ts';
import { type DialectName, dialects } from './dialect.ts';
import type { OpenStackDocument } from './document.ts';
import { connect } from './driver.ts';
import { restore } from './layout/restore.ts';
import { preview } from './preview.ts';
import { makeRegion, type Region } from './region.ts';
import { resourcesOf } from './resources.ts';

export interface OpenStackTools {
  clock: Clock;
  /** The URL at which servers in the cloud reach this Almanac. */
  baseUrl: () => string;
  /** Poll interval of a changing stack during its first minute. */
  pollSeconds: number;
  countCall: CountCall;
  /** Only these clouds are called. */
  authUrls: AuthUrls;
}

/** OpenStack through Heat: one Heat stack for each Almanac stack. K5 is a dialect of it. */
export function openStackVendor(name: DialectName, tools: OpenStackTools): Vendor {
  const regionOf = cacheRegions(name, tools);
  return {
    name,
    catalog,
    authUrls: tools.authUrls,
    needsPublicKeys: true,
    awaitsAgents: dialects[name].capabilities.signals,
    choose: (access, model, before) =>
      chooseFor(regionOf(access, model.region).facts, {
        model,
        before: before as OpenStackDocument | null,
        dialect: name,
        baseUrl: tools.baseUrl(),
      }),
    compile: (model, stackId, choices) =>
      compile({ model, stackId, choices: choices as Choices, dialect: name, baseUrl: tools.baseUrl() }),
    listRegions: async (access) => (await clientOf(tools, access, '').session()).regions,
    assume: (model) => assume(model, name),
    changes: (model, document) =>
      remarksOf({ model, choices: (document as OpenStackDocument).choices, dialect: dialects[name] }),
    sshUser: (document, flag) => (document as OpenStackDocument).choices.servers[flag]?.sshUser,
    notes: (document) => (document as OpenStackDocument).notes,
    preview: async (before, after) => preview(before as OpenStackDocument | null, after as OpenStackDocument),
    storesOf: (document) => storesOf(document as OpenStackDocument),
    replacedStores: async (change) => replacedStores(change as DocumentChange<OpenStackDocument>),
    keptAs: (keeping) => keptAs(keeping as Keeping<OpenStackDocument>),
    restore: (document, references) => restore(document as OpenStackDocument, references),
    resources: (document, flags) => resourcesOf(document as OpenStackDocument, flags),
    connect: (access) => connect((region) => regionOf(access, region), dialects[name]),
    verify: (access) => verify((region) => clientOf(tools, access, region)),
  };
}

function clientOf(
  { authUrls, clock, countCall }: OpenStackTools,
  access: VendorAccess,
  region: string,
): Client {
  const cloud = findAuthUrl(authUrls, access.authUrl);
  const parts = { region, clock, countCall };
  if ('url' in cloud) return makeClient({ ...parts, access: { ...access, authUrl: cloud.url } });
  const own = access.authUrl === null ? '' : `. The credential belongs to ${access.authUrl}`;
  const forbidden = `${cloud.reason}${own}`;
  return makeClient({ ...parts, access: { ...access, authUrl: '' }, forbidden });
}

function cacheRegions(dialect: DialectName, tools: OpenStackTools) {
  const regions = new RegionCache<Region>();
  return (access: VendorAccess, name: string): Region =>
    regions.get(access, { name, also: access.authUrl ?? '' }, () =>
      makeRegion({
        client: clientOf(tools, access, name),
        clock: tools.clock,
        dialect: dialects[dialect],
        pollMs: tools.pollSeconds * 1000,
      }),
    );
}
