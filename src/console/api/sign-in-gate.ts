import { makeGate } from './gate.ts';

/** Requests wait here while the user signs in again. */
const gate = makeGate<void>();

/** Resolves after the user has signed in again. Opens the sign-in dialog. */
export const signedInAgain = gate.wait;

/** The user has signed in: the waiting requests are repeated. */
export const openGate = (): void => gate.open();

export const isGateClosed = gate.isClosed;

export const onGate = gate.watch;
