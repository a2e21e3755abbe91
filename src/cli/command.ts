import type { Args } from './args/args.ts';
import type { ApiVersion, Flag, Format } from './args/flag.ts';
import type { Api, TokenSource } from './net/api.ts';
import type { Trace } from './net/trace.ts';
import type { Config } from './settings/config-file.ts';
import type { Profile } from './settings/settings.ts';
import type { System } from './system.ts';
import type { Output } from './view/output.ts';

/** Runs a command. Returns the exit code, or nothing on success. */
export type Run = (context: Context) => Promise<number | void>;

/** Runs a command that sends no requests and needs no settings. */
export type BareRun = (context: BareContext) => Promise<number | void>;

/** A command as data: the parser, the help, the completion and docs/cli.md are generated from it. */
interface AnyCommand {
  /** The words after `alm`: `stack list`. */
  readonly path: string;
  /** One line in the imperative: "List the stacks". */
  readonly about: string;
  /** Further paragraphs of the help. */
  readonly more?: string;
  readonly flags: readonly Flag[];
  /** Flags that may be given without their name, in this order: `stack describe <id>`. */
  readonly positionals?: readonly string[];
  /** The only API version that has this command. */
  readonly only?: ApiVersion;
  /** Accepted values of `--fmt`; the first is the default. Empty: the command has its own output. */
  readonly formats: readonly Format[];
  readonly examples: readonly string[];
  /** Accepts a profile that is not in the configuration file, and starts from the defaults. */
  readonly anyProfile?: true;
  /** Runs with an invalid configuration file or environment, and replaces invalid settings with the defaults. */
  readonly anyConfig?: true;
}

/** The code of a command is loaded only when it runs, to keep start-up fast. */
export type Command = AnyCommand &
  (
    | { readonly standalone?: never; readonly load: () => Promise<Run> }
    | { readonly standalone: true; readonly load: () => Promise<BareRun> }
  );

export interface Group {
  readonly name: string;
  readonly about: string;
  readonly commands: readonly Command[];
}

/** A parsed command line and the process it runs in. */
export interface Invocation {
  readonly command: Command;
  readonly args: Args;
  readonly groups: readonly Group[];
  readonly system: System;
}

/** Context of a command without settings. */
export interface BareContext extends Invocation {
  readonly out: Output;
}

/** Context of a command. */
export interface Context extends BareContext {
  /** The configuration file, overridden by the environment, overridden by the flags. */
  readonly settings: Profile;
  /** The API version this command uses. */
  readonly version: ApiVersion;
  readonly config: { readonly path: string; readonly content: Config };
  /** Name of the profile the settings come from. */
  readonly profile: string;
  readonly api: Api;
  /** The tokens that `api` sends. */
  readonly tokens: TokenSource;
  readonly trace: Trace;
}
