import { EngineUnreachable, isEngineFailure } from '../../docker-engine/errors.ts';
import type { DocumentChange, Keeping } from '../data.ts';
import { type Answer, accepted, type Driver, refused, Unreachable, type Vendor } from '../vendor.ts';
import { apply, remove } from './act/apply.ts';
import { cancelUpdate } from './act/cancel.ts';
import { injectFault, replaceInstance, restartInstance } from './act/instances.ts';
import { privateKeyOf } from './act/keys.ts';
import { keySeedOf } from './act/make-container.ts';
import { catalog } from './catalog.ts';
import { changes } from './changes.ts';
import { compile } from './compile.ts';
import { keptAs, replacedStores, restore, storesOf } from './data.ts';
import type { DockerDocument } from './document.ts';
import { keptStores } from './keep/kept-stores.ts';
import { Loads } from './loads.ts';
import { anyMissingImages } from './observe/images.ts';
import { readStack } from './observe/read-stack.ts';
import { observe } from './observe.ts';
import { preview } from './preview.ts';
import { resourcesOf } from './resources.ts';
import { surveyOf } from './survey.ts';
import type { DockerTools, Machine } from './tools.ts';

/** Runs stacks as containers on one machine's engine, Docker or Podman. The vendor does the work of a cloud's services. */
export function dockerVendor(tools: DockerTools): Vendor {
  const machine = machineWith(tools);
  return {
    name: 'docker',
    catalog,
    // Containers have a lot of power over the machine, so not every account may start them.
    restriction: {
      accounts: tools.accounts ?? [],
      message:
        'this account is not allowed to use the containers of this machine; ALM_DOCKER_ACCOUNTS lists the accounts that may',
    },
    compile,
    changes,
    preview: async (before, after) => preview(before as DockerDocument | null, after as DockerDocument),
    resources: (document) => resourcesOf(document as DockerDocument),
    billing: { kind: 'free', note: 'Containers on your own machine: no cloud charges for them.' },
    storesOf: (document) => storesOf(document as DockerDocument),
    replacedStores: async (change) => replacedStores(change as DocumentChange<DockerDocument>),
    keptAs: (keeping) => keptAs(keeping as Keeping<DockerDocument>, tools.keepDays),
    restore: (document, references) => restore(document as DockerDocument, references),
    // A volume that is kept is used again under its name.
    reusesKept: true,
    connect: () => connect(machine),
    verify: () => verify(machine),
  };
}

/** The operator configures the engine. A credential must not: it could name any socket of the machine. */
const machineWith = (tools: DockerTools): Machine => ({
  tools,
  socketPath: tools.socketPath,
  engine: tools.engineAt(tools.socketPath),
  seenReady: new Set<string>(),
  notReadySince: new Map<string, number>(),
  loads: new Loads(),
});

async function verify(machine: Machine): Promise<Answer> {
  try {
    await machine.engine.system.ping();
    const missing = await anyMissingImages(machine);
    return missing === null ? accepted : refused(missing);
  } catch (error) {
    if (!(error instanceof EngineUnreachable)) throw error;
    return refused(`No container engine responds at ${machine.socketPath}. ${error.message}`);
  }
}

async function toUnreachable<T>(call: Promise<T>, isOutage: (error: unknown) => boolean): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof Error && isOutage(error)
      ? new Unreachable(error.message, { cause: error })
      : error;
  }
}

/** For steps of a pass: an engine that refuses a call in a way no step expects may accept it later. */
const step = <T>(call: Promise<T>): Promise<T> => toUnreachable(call, isEngineFailure);

/** For requests of a caller: only an engine that does not answer is unreachable. */
const reach = <T>(call: Promise<T>): Promise<T> =>
  toUnreachable(call, (error) => error instanceof EngineUnreachable);

function connect(machine: Machine): Driver {
  return {
    observe: ({ id }) => observe(machine, id),
    survey: surveyOf(machine),
    apply: (stack, { document, version, agentToken, databasePassword, releases = [] }) =>
      step(
        apply(machine, {
          stack,
          // Every stored document is a result of `compile`.
          document: document as DockerDocument,
          version,
          agentToken,
          databasePassword,
          releases,
        }),
      ),
    remove: (stack, request) => step(remove(machine, stack, request)),
    listKept: ({ id }) => reach(keptStores(machine, id)),
    cancelUpdate: ({ id }, version) => reach(cancelUpdate(machine, id, version)),
    replaceInstance: ({ id }, instanceId) => step(replaceInstance(machine, id, instanceId)),
    restartInstance: ({ id }, instanceId) => reach(restartInstance(machine, id, instanceId)),
    readPrivateKey: ({ id }, flag) => reach(readPrivateKey(machine, id, flag)),
    injectFault: (fault, stack) => reach(injectFault(machine, fault, stack?.id)),
  };
}

async function readPrivateKey(machine: Machine, stackId: string, flag: string) {
  const [{ markers }, seed] = await Promise.all([readStack(machine, stackId), keySeedOf(machine, stackId)]);
  const fleets = markers[0]?.document.fleets ?? [];
  const hasPair = fleets.some((fleet) => fleet.flag === flag && fleet.keyPair);
  return hasPair && seed !== undefined ? privateKeyOf(seed, stackId, flag) : undefined;
}
