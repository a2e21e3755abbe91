/** A registry that `almanac registry up` has started. */
export interface RunningRegistry {
  /** How it runs, for people. */
  description: string;
  /** Resolves when it has ended, with the last lines of its log. Never rejects. */
  ended: Promise<string>;
  /** Ends it and waits for it. */
  stop(): Promise<void>;
}

export interface StartRegistry {
  /** Directory of its configuration, data and log. */
  folder: string;
  configFile: string;
  /** Ends the start: the image is not pulled any further. */
  signal?: AbortSignal;
}
