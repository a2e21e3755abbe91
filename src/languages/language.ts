import type { Secret } from '../basics/secret.ts';
import type { StoreKind } from '../model/data-choice.ts';
import type { StackModel } from '../model/stack-model.ts';

/** Vendor, credential and region of a new stack. */
export interface Placement {
  vendor: string;
  credentialId: string;
  region: string;
  /** Sent inside the document; stored sealed as a credential, never in the document. */
  secret: Secret | null;
  /** The cloud of that credential, where the vendor has several; null: not named. */
  authUrl: string | null;
}

/** A store of a document that is to be made from kept data. */
export interface Restore {
  kind: StoreKind;
  /** The name of the database or cache, or the flag of the layer. */
  name: string;
  /** The id of the kept data. */
  from: string;
  /** Where the document says so. */
  path: string;
}

/** Result of compiling a user's document. */
export interface Compiled {
  model: StackModel;
  /** The document as stored and returned: as the user wrote it, without secrets. */
  document: object;
  /** The secrets removed from it, by their names in the model. */
  secrets: ReadonlyMap<string, Secret>;
  /** An instruction for the moment, so it is not part of the model. Absent: none. */
  restores?: readonly Restore[];
  /** Names of secrets that the document marks as unchanged (`${sealed}`): kept from the previous version. */
  keptSecrets: readonly string[];
  /** Turns a path of the model, where a vendor found a problem, into the path in the document as the user sent it. */
  locate: (path: string) => string;
}

/** Replaces a secret in a stored document; in an update it means "unchanged". */
export const sealedPlaceholder = '${sealed}';
