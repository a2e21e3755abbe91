import type { Args } from './args/args.ts';
import type { ApiVersion, Flag, Format } from './args/flag.ts';
import type { Api } from './net/api.ts';
import type { Trace } from './net/trace.ts';
import type { Config } from './settings/config-file.ts';
import type { Profile } from './settings/settings.ts';
import type { System } from './system.ts';
import type { Output } from './view/output.ts';

/** Gives the exit code, or nothing when all went well. */
export type Run = (context: Context) => Promise<number | void>;

/** The same of a command that asks nobody and needs no settings. */
export type BareRun = (context: BareContext) => Promise<number | void>;

/** A command as data: the parser, the help, the completion and the page of commands are made from it. */
interface AnyCommand {
  /** The words: `stack list`. */
  readonly path: string;
  /** One line, as a request: "List the stacks". */
  readonly about: string;
  /** Further paragraphs of the help. */
  readonly more?: string;
  readonly flags: readonly Flag[];
  /** Flags that may be given without their name, in this order: `stack describe <id>`. */
  readonly bare?: readonly string[];
  /** Where it exists only in one version of the interface. */
  readonly only?: ApiVersion;
  /** What `--fmt` may be; the first is the default. None: it shows something of its own. */
  readonly formats: readonly Format[];
  readonly examples: readonly string[];
  /** Runs also with a profile that the configuration file does not have; it begins with the defaults. */
  readonly anyProfile?: true;
  /** Runs also when the configuration file or the environment cannot be understood: what cannot is taken as the defaults. */
  readonly anyConfig?: true;
}

/** What it does is loaded only when it runs: a command pays for what it needs alone. */
export type Command = AnyCommand &
  (
    | { readonly alone?: never; readonly load: () => Promise<Run> }
    | { readonly alone: true; readonly load: () => Promise<BareRun> }
  );

export interface Group {
  readonly name: string;
  readonly about: string;
  readonly commands: readonly Command[];
}

/** What is asked for, and where. */
export interface BareContext {
  readonly command: Command;
  readonly args: Args;
  readonly groups: readonly Group[];
  readonly system: System;
  readonly out: Output;
}

/** All a command has to work with. */
export interface Context extends BareContext {
  /** As the file, the environment and the flags have it together. */
  readonly settings: Profile;
  /** The version of the interface this command speaks. */
  readonly version: ApiVersion;
  readonly config: { readonly path: string; readonly content: Config };
  /** Which profile of the file the settings began with. */
  readonly profile: string;
  readonly api: Api;
  readonly trace: Trace;
}
