/** For the command line, which knows the contract only. */
export { clientKinds, defaultClientKind, publicClientId } from '../model/client-kinds.ts';
