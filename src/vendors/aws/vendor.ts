import type { Clock } from '../../basics/clock.ts';
import type { DocumentChange, Keeping } from '../data.ts';
import { surveyByObserving, surveyReadMs } from '../shared/poll.ts';
import { RegionCache } from '../shared/region-cache.ts';
import type { Driver, StackOnVendor, Vendor, VendorAccess } from '../vendor.ts';
import { apply } from './act/apply.ts';
import { cancelUpdate } from './act/cancel-update.ts';
import { readDatabasePassword } from './act/database-password.ts';
import { putLifecycleHook, readLifecycleHook } from './act/lifecycle-hook.ts';
import { readPrivateKey } from './act/private-key.ts';
import { remove } from './act/remove.ts';
import { replaceInstance } from './act/replace-instance.ts';
import { stackRequest } from './act/requests.ts';
import { restartInstance } from './act/restart.ts';
import { verify } from './act/verify.ts';
import { assume } from './assume.ts';
import { catalog } from './catalog.ts';
import { type Choices, nothingChosen } from './choices.ts';
import { chooseFor } from './choose.ts';
import { type CountCall, makeClients } from './clients.ts';
import { storageRemarks } from './compile/notes.ts';
import { compile } from './compile.ts';
import { keptAs, replacedStores, restore, storesOf } from './data.ts';
import type { AwsDocument } from './document.ts';
import { type EventQueueParts, openEventQueues } from './events/event-queues.ts';
import { forecast } from './forecast/change-set.ts';
import { readDrift, startDriftCheck } from './forecast/drift.ts';
import { listKept } from './observe/list-kept.ts';
import { observe } from './observe.ts';
import { homeOf } from './partitions.ts';
import { preview } from './preview.ts';
import { billing } from './prices/billing.ts';
import { chosenImages } from './refresh.ts';
import { makeRegion, type Region } from './region.ts';
import { resourcesOf } from './resources.ts';

export interface AwsTools {
  clock: Clock;
  /** The URL at which servers in the cloud reach this Almanac. */
  baseUrl: () => string;
  /** Poll interval of a changing stack during its first minute. */
  pollSeconds: number;
  countCall: CountCall;
  /** Queues with events about stacks. */
  events?: Omit<EventQueueParts, 'clock' | 'delayMs'> | undefined;
}

/** AWS through CloudFormation: one CloudFormation stack for each Almanac stack. */
export function awsVendor(tools: AwsTools): Vendor {
  const regionOf = cacheRegions(tools);
  return {
    name: 'aws',
    catalog,
    makesDatabasePasswords: true,
    skipsResources: true,
    choose: (access, model, before) =>
      chooseFor(regionOf(access, model.region), model, before as AwsDocument | null),
    compile: (model, stackId, choices) =>
      compile({ model, stackId, choices: choices as Choices, baseUrl: tools.baseUrl() }),
    assume,
    changes: (model) => storageRemarks(model, nothingChosen),
    images: chosenImages,
    notes: (document) => (document as AwsDocument).notes ?? [],
    preview: (before, after) => preview(before as AwsDocument | null, after as AwsDocument),
    storesOf: (document) => storesOf(document as AwsDocument),
    replacedStores: (change) => replacedStores(change as DocumentChange<AwsDocument>),
    keptAs: (keeping) => keptAs(keeping as Keeping<AwsDocument>),
    restore: (document, references) => restore(document as AwsDocument, references),
    resources: (document, flags) => resourcesOf(document as AwsDocument, flags),
    billing,
    connect: (access) => connect((region) => regionOf(access, region)),
    verify: (access) => verify((region) => makeClients(access, region, tools.countCall), access.role),
  };
}

function cacheRegions({ clock, pollSeconds, countCall, events }: AwsTools) {
  const pollMs = pollSeconds * 1000;
  const eventQueueOf = events ? openEventQueues({ ...events, clock, delayMs: pollMs }) : () => undefined;
  const regions = new RegionCache<Region>();
  const regionOf = (access: VendorAccess, name: string): Region => {
    const { role } = access;
    return regions.get(access, { name, also: role ?? '' }, () => {
      const clients = makeClients(access, name, countCall);
      const home = (): Region => regionOf(access, homeOf(name));
      return makeRegion({ name, clients, clock, role, home, eventQueueOf, pollMs });
    });
  };
  return regionOf;
}

function connect(regionNamed: (name: string) => Region): Driver {
  const of = (stack: StackOnVendor): Region => regionNamed(stack.region);
  return {
    observe: (stack) => observe(of(stack), stack),
    survey: surveyByObserving({ observe: (stack) => observe(of(stack), stack, surveyReadMs) }),
    apply: (stack, request) =>
      apply(of(stack), stack, { ...request, document: request.document as AwsDocument }),
    remove: (stack, request) => remove(of(stack), stack, request),
    listKept: (stack) => listKept(of(stack), stack),
    cancelUpdate: (stack, version) => cancelUpdate(of(stack), stack, version),
    replaceInstance: (stack, instanceId) => replaceInstance(of(stack), stack, instanceId),
    readPrivateKey: (stack, flag) => readPrivateKey(of(stack), stack, flag),
    readDatabasePassword: (stack) => readDatabasePassword(of(stack), stack),
    putLifecycleHook: (stack, seconds) => putLifecycleHook(of(stack), stack, seconds),
    readLifecycleHook: (stack) => readLifecycleHook(of(stack), stack),
    restartInstance: (stack, instanceId) => restartInstance(of(stack), stack, instanceId),
    forecast: async (stack, document) =>
      forecast(
        of(stack),
        stack,
        await stackRequest(of(stack), {
          stackId: stack.id,
          document: document as AwsDocument,
          version: 'forecast',
        }),
      ),
    startDriftCheck: (stack) => startDriftCheck(of(stack), stack),
    readDrift: (stack) => readDrift(of(stack), stack),
  };
}
