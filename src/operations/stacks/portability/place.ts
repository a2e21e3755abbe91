import type { Vendor } from '../../../vendors/vendor.ts';

/** Where the template itself places the stack; empty: it does not say. */
export interface Origin {
  vendor: string;
  region: string;
}

/** The region of a report. */
export interface Place {
  region: string;
  /** A sentence about another region than that of the template; empty: it is the same. */
  moved: string;
}

interface PlaceInput {
  vendor: Pick<Vendor, 'name'>;
  /** Empty: not known before the cloud is asked. */
  regions: readonly string[];
  origin: Origin;
  /** Undefined: the request leaves it open. */
  asked: string | undefined;
}

/** The usual name of the only region of a cloud. */
const assumedRegion = 'RegionOne';

/** The region that is asked for, that of the template if the vendor has it, or the first of the vendor. */
export function placeOn({ vendor: { name }, regions, origin, asked }: PlaceInput): Place {
  const isKept = origin.region !== '' && (name === origin.vendor || regions.includes(origin.region));
  const region = asked ?? (isKept ? origin.region : (regions[0] ?? assumedRegion));
  if (origin.region === '' || origin.region === region) return { region, moved: '' };
  if (regions.includes(region))
    return { region, moved: `${origin.region} → ${region}, a region of ${name}.` };
  if (asked !== undefined) return { region, moved: `${origin.region} → ${region}, as the request says.` };
  const why = `${region} is assumed: every cloud of ${name} has its own.`;
  return { region, moved: `${origin.region} → a region of the cloud. ${why}` };
}
