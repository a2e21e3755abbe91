import { surveyByObserving, surveyReadMs } from '../shared/poll.ts';
import type { Driver, StackOnVendor } from '../vendor.ts';
import { apply } from './act/apply.ts';
import { cancelUpdate } from './act/cancel-update.ts';
import { readDrift, startDriftCheck } from './act/drift.ts';
import { forecast } from './act/forecast.ts';
import { putLifecycleHook, readLifecycleHook } from './act/lifecycle-hook.ts';
import { listKept } from './act/list-kept.ts';
import { readPrivateKey } from './act/private-key.ts';
import { remove } from './act/remove.ts';
import { replaceInstance } from './act/replace-instance.ts';
import { restartInstance } from './act/restart.ts';
import type { AlicloudDocument } from './document.ts';
import { observe } from './observe.ts';
import { type Region, readingInTurn } from './region.ts';

export function connect(regionNamed: (name: string) => Region): Driver {
  const of = (stack: StackOnVendor): Region => regionNamed(stack.region);
  return {
    observe: (stack) => observe(of(stack), stack),
    survey: surveyByObserving({
      observe: (stack, inTurn) => observe(readingInTurn(of(stack), inTurn), stack, surveyReadMs),
    }),
    apply: (stack, request) =>
      apply(of(stack), stack, { ...request, document: request.document as AlicloudDocument }),
    remove: (stack, request) => remove(of(stack), stack, request),
    listKept: (stack) => listKept(of(stack), stack),
    cancelUpdate: (stack, version) => cancelUpdate(of(stack), stack, version),
    replaceInstance: (stack, instanceId) => replaceInstance(of(stack), stack, instanceId),
    restartInstance: (stack, instanceId) => restartInstance(of(stack), stack, instanceId),
    readPrivateKey: (stack, flag) => readPrivateKey(of(stack), stack, flag),
    putLifecycleHook: (stack, seconds) => putLifecycleHook(of(stack), stack, seconds),
    readLifecycleHook: (stack) => readLifecycleHook(of(stack), stack),
    forecast: (stack, document) => forecast(of(stack), stack, document as AlicloudDocument),
    startDriftCheck: (stack) => startDriftCheck(of(stack), stack),
    readDrift: (stack) => readDrift(of(stack), stack),
  };
}
