import { makeGate } from './gate.ts';

/** Requests wait here while the user confirms with the password. False: the user gave up. */
export const proofGate = makeGate<boolean>();
