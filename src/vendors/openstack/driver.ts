import { surveyByObserving, surveyReadMs } from '../shared/poll.ts';
import type { Driver, StackOnVendor } from '../vendor.ts';
import { apply } from './act/apply.ts';
import { cancelUpdate } from './act/cancel-update.ts';
import { readDrift, startDriftCheck } from './act/drift.ts';
import { remove } from './act/remove.ts';
import { reportUp } from './act/report-up.ts';
import { replaceInstance, restartInstance } from './act/restart.ts';
import type { Dialect } from './dialect.ts';
import type { OpenStackDocument } from './document.ts';
import { listKept } from './observe/list-kept.ts';
import { observe } from './observe.ts';
import { type Region, readingInTurn } from './region.ts';

export function connect(regionNamed: (name: string) => Region, { capabilities }: Dialect): Driver {
  const of = (stack: StackOnVendor): Region => regionNamed(stack.region);
  return {
    observe: (stack) => observe(of(stack), stack),
    survey: surveyByObserving({
      observe: (stack, inTurn) => observe(readingInTurn(of(stack), inTurn), stack, surveyReadMs),
      atOnceAlone: 4,
    }),
    apply: (stack, request) =>
      apply(of(stack), stack, { ...request, document: request.document as OpenStackDocument }),
    remove: (stack, request) => remove(of(stack), stack, request),
    listKept: (stack) => listKept(of(stack), stack),
    cancelUpdate: (stack, version) => cancelUpdate(of(stack), stack, version),
    replaceInstance: (stack, instanceId) => replaceInstance(of(stack), stack, instanceId),
    restartInstance: (stack, instanceId) => restartInstance(of(stack), stack, instanceId),
    ...(capabilities.signals ? { reportUp: (stack, servers) => reportUp(of(stack), stack, servers) } : {}),
    ...(capabilities.actions
      ? {
          startDriftCheck: (stack) => startDriftCheck(of(stack), stack),
          readDrift: (stack) => readDrift(of(stack), stack),
        }
      : {}),
  } satisfies Driver;
}
