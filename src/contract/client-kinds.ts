/** For the command line, which knows the contract only. */
export { type ClientKind, clientKinds, defaultClientKind, publicClientId } from '../model/client-kinds.ts';
