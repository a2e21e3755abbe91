import type { Secret } from '../basics/secret.ts';
import type { StackModel } from '../model/stack-model.ts';

/** Where a document wants its stack: which vendor, with which credential, in which region. */
export interface Placement {
  vendor: string;
  credentialId: string;
  region: string;
  /** Given inside the document; saved sealed as a credential, never kept in the document. */
  secret: Secret | null;
}

/** What a language makes of a user's document. */
export interface Compiled {
  model: StackModel;
  /** The document as it is kept and returned: the user's own words, less every secret. */
  document: object;
  /** The secrets taken out of it, by the name the model uses for them. */
  secrets: ReadonlyMap<string, Secret>;
  /** Names of secrets the document refers to as already known (`${sealed}`): kept from the version before. */
  keptSecrets: readonly string[];
}

/** Stands in a stored document where a secret was; sent back in an update it means "as before". */
export const sealedPlaceholder = '${sealed}';
