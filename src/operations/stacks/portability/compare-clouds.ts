import { ownTurn } from '../../../basics/clock.ts';
import { Failure } from '../../../basics/failure.ts';
import { isObject } from '../../../basics/is-object.ts';
import type { Vendor } from '../../../vendors/vendor.ts';
import type { Actor } from '../../access/access.ts';
import { askVendor } from '../../ask-vendor.ts';
import { findVendorName, vendorNamed } from '../../credentials/credential-row.ts';
import type { TemplateText } from '../../documents/read-template.ts';
import { refuseDocument } from '../../documents/refuse-document.ts';
import { KeyedMutex } from '../../keyed-mutex.ts';
import type { Service } from '../../service.ts';
import { unsupported } from '../submit/supported-vendors.ts';
import { accessWith, selectVendor } from '../submit/vendor-access.ts';
import { type Origin, placeOn } from './place.ts';
import { type CloudReport, reportOn, type Target } from './report-cloud.ts';

export interface PortabilityRequest {
  template: TemplateText;
  /** A vendor, or `all`. */
  vendor: string;
  /** Undefined: the one of the template if the vendor has it, else the first of the vendor. */
  region?: string | undefined;
  /** Asks the cloud with this credential of the vendor. */
  credentialId?: string | undefined;
  /** Whether nobody waits for the report any more. */
  hasLeft: () => boolean;
}

/** Reports what templates would become on other clouds, one report of an account at a time: each takes many compilations. */
export function cloudComparer(service: Service) {
  const reports = new KeyedMutex();
  return (actor: Actor, request: PortabilityRequest): Promise<CloudReport[]> =>
    reports.run(actor.accountId, () => compareClouds(service, actor, request));
}

/** Changes and saves nothing. */
async function compareClouds(
  service: Service,
  actor: Actor,
  request: PortabilityRequest,
): Promise<CloudReport[]> {
  const { template, hasLeft } = request;
  const takeTurn = async (): Promise<void> => {
    await ownTurn();
    if (hasLeft()) throw new Failure('invalid_request', 'The caller closed the connection');
  };
  await takeTurn();
  // As for an update, because the vendor section is ignored.
  const compiled = await service.documents.run('changedTemplate', {
    input: { body: template, region: '' },
    size: template.text.length,
    caller: actor.accountId,
  });
  const origin = originOf(compiled.document);
  const reports: CloudReport[] = [];
  // One after the other: each takes the time of several previews.
  for (const target of await targetsOf(service, actor, { request, origin }))
    reports.push(await reportOn(service, actor, { compiled, origin, target, takeTurn }));
  return reports;
}

function originOf(document: object): Origin {
  const section: unknown = 'vendor' in document ? document.vendor : undefined;
  const [name = '', members] = Object.entries(isObject(section) ? section : {})[0] ?? [];
  const region = isObject(members) ? members['region'] : undefined;
  return { vendor: findVendorName(name) ?? '', region: typeof region === 'string' ? region.trim() : '' };
}

interface Asked {
  request: PortabilityRequest;
  origin: Origin;
}

async function targetsOf(service: Service, actor: Actor, { request, origin }: Asked): Promise<Target[]> {
  const { vendor: name, region, credentialId } = request;
  const isAll = name.trim().toLowerCase() === 'all';
  if (credentialId !== undefined)
    return isAll
      ? refuseQuery('cred', 'needs one vendor: a credential belongs to one')
      : [await targetAsked(service, actor, { request, origin, credentialId })];
  const vendors = isAll ? [...service.vendors.values()] : [supported(service, name)];
  return vendors.map((vendor) => ({
    vendor,
    place: placeOn({ vendor, regions: knownRegions(vendor), origin, asked: region }),
    access: null,
  }));
}

const knownRegions = ({ catalog: { regions } }: Vendor): readonly string[] =>
  regions === 'asked' ? [] : regions;

const refuseQuery = (path: string, message: string): never =>
  refuseDocument([{ path, message }], 'invalid_request');

function supported({ vendors }: Service, name: string): Vendor {
  const known = vendorNamed(name);
  return vendors.get(known) ?? refuseQuery('vendor', unsupported(vendors, known));
}

async function targetAsked(
  service: Service,
  actor: Actor,
  { request, origin, credentialId }: Asked & { credentialId: string },
): Promise<Target> {
  const named = supported(service, request.vendor);
  const { region: asked } = request;
  const { vendor, credential } = await selectVendor(service, actor, {
    placement: { vendor: named.name, credentialId, region: asked ?? '', secret: null, authUrl: null },
    language: 'v3',
  });
  const access = accessWith(service, credential);
  const list = asked === undefined ? vendor.listRegions?.bind(vendor) : undefined;
  const regions = list ? await askVendor(service, actor.accountId, () => list(access)) : knownRegions(vendor);
  return { vendor, place: placeOn({ vendor: named, regions, origin, asked }), access };
}
