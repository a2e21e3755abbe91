/** What is decided once for a stack where its model leaves the choice open. Kept with every version. */
export interface Choices {
  /** Zones of the region the account can use, in order. A layer that names none is put in the first. */
  zones: readonly string[];
  /** The machine image of each layer that names none, by flag. */
  images: Readonly<Record<string, ChosenImage>>;
  /** What each instance type runs. */
  architectures: Readonly<Record<string, Architecture>>;
  /** Types as good as one a layer names, for its spot instances: a single type is often not to be had. */
  siblings: Readonly<Record<string, readonly string[]>>;
  /** The certificate for each domain a listener names. */
  certificates: Readonly<Record<string, string>>;
  /** Blocks of addresses for subnets that no layer brings, by the subnet's logical id. */
  cidrs: Readonly<Record<string, string>>;
}

export type Architecture = 'x86_64' | 'arm64';

export interface ChosenImage {
  id: string;
  architecture: Architecture;
}
