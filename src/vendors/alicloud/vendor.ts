import type { Clock } from '../../basics/clock.ts';
import type { DocumentChange, Keeping } from '../data.ts';
import { RegionCache } from '../shared/region-cache.ts';
import type { Vendor, VendorAccess } from '../vendor.ts';
import { roleNameOf, verify } from './act/verify.ts';
import { assume } from './assume.ts';
import { type CloudName, catalog, regionsOf } from './catalog.ts';
import type { Choices } from './choices.ts';
import { chooseFor } from './choose.ts';
import { type Clients, type CountCall, makeClients } from './clients.ts';
import { remarksOf } from './compile/notes.ts';
import { compile } from './compile.ts';
import { keptAs, replacedStores, storesOf } from './data.ts';
import type { AlicloudDocument } from './document.ts';
import { connect } from './driver.ts';
import { preview } from './preview.ts';
import { makeRegion, type Region } from './region.ts';
import { resourcesOf } from './resources.ts';

export interface AlicloudTools {
  clock: Clock;
  /** The URL at which servers in the cloud reach this Almanac. */
  baseUrl: () => string;
  /** Poll interval of a changing stack during its first minute. */
  pollSeconds: number;
  countCall: CountCall;
  /** A URL in place of the addresses of all services; null: the public ones. */
  endpoint: string | null;
  /** The regions that stacks may be in; empty: all that are known. */
  regions: readonly string[];
}

/** Alibaba Cloud through ROS: one ROS stack for each Almanac stack. SBCloud sells the same services. */
export function alicloudVendor(name: CloudName, tools: AlicloudTools): Vendor {
  const regionOf = cacheRegions(tools);
  const regions = tools.regions.length > 0 ? tools.regions : regionsOf[name];
  return {
    name,
    catalog: { ...catalog, regions },
    choose: (access, model, before) =>
      chooseFor(regionOf(access, model.region).facts, {
        regions,
        model,
        before: before as AlicloudDocument | null,
        baseUrl: tools.baseUrl(),
        now: tools.clock.now(),
      }),
    compile: (model, stackId, choices) =>
      compile({ model, stackId, choices: choices as Choices, baseUrl: tools.baseUrl() }),
    assume: (model) => assume(model, regions),
    changes: (model) => remarksOf({ model }),
    notes: (document) => (document as AlicloudDocument).notes,
    preview: async (before, after) => preview(before as AlicloudDocument | null, after as AlicloudDocument),
    storesOf: (document) => storesOf(document as AlicloudDocument),
    replacedStores: async (change) => replacedStores(change as DocumentChange<AlicloudDocument>),
    keptAs: (keeping) => keptAs(keeping as Keeping<AlicloudDocument>),
    resources: (document, flags) => resourcesOf(document as AlicloudDocument, flags),
    connect: (access) => connect((region) => regionOf(access, region)),
    verify: (access) => verify(clientsOf(tools, access, regions[0] ?? ''), access.role),
  };
}

const clientsOf = (tools: AlicloudTools, access: VendorAccess, region: string): Clients => {
  const { clock, countCall, endpoint } = tools;
  return makeClients({ access, region, clock, countCall, endpoint });
};

function cacheRegions(tools: AlicloudTools) {
  const regions = new RegionCache<Region>();
  return (access: VendorAccess, name: string): Region =>
    regions.get(access, { name, also: access.role ?? '' }, () =>
      makeRegion({
        clients: clientsOf(tools, access, name),
        clock: tools.clock,
        role: roleNameOf(access.role),
        pollMs: tools.pollSeconds * 1000,
      }),
    );
}
