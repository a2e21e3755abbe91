import type { Service } from '../../src/operations/service.ts';
import { changeSandbox } from '../stand-in-vendor.ts';

/** Lets the sandbox accept resources to skip, as AWS does. It can undo every update, so it skips none. */
export const canSkipResources = (service: Service): void => changeSandbox(service, { skipsResources: true });
