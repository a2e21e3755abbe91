export type ApiVersion = 'v2' | 'v3';
export type Format = 'json' | 'raw' | 'table' | 'yaml' | 'min';

/** Kinds of values the shell completion can suggest. */
export type Completion =
  | 'file'
  | 'profile'
  | 'stack'
  | 'version'
  | 'layer'
  | 'instance'
  | 'address'
  | 'credential'
  | 'user'
  | 'role'
  | 'client'
  | 'data'
  | 'kept-data'
  | 'data-choice'
  | 'restore'
  | 'secret';

interface FlagBase {
  /** Without the leading dashes. */
  readonly name: string;
  readonly short?: string;
  /** Alternative spellings. */
  readonly aliases?: readonly string[];
  readonly about: string;
  /** Required: always, or with this API version. */
  readonly required?: true | ApiVersion;
  /** The only API version that supports it. */
  readonly only?: ApiVersion;
  /** Flag that must be set with it. */
  readonly needs?: string;
}

export interface SwitchFlag extends FlagBase {
  readonly kind: 'switch';
  readonly default?: boolean;
}

export interface TextFlag extends FlagBase {
  readonly kind: 'text' | 'list';
  /** Placeholder of the value in the help. */
  readonly value: string;
  readonly default?: string;
  readonly choices?: readonly string[];
  /** Of a list: a comma is part of the value, and does not separate values. */
  readonly whole?: true;
  readonly complete?: Completion;
  /** Of a stack: never the default stack of `alm use`; what is lost must be named. */
  readonly explicit?: true;
  /** Of a stack that need not be given: the default stack is used unless this flag is given. */
  readonly orDefaultUnless?: string;
  /** Of a stack: the command finds it itself. */
  readonly completesOnly?: true;
}

export interface NumberFlag extends FlagBase {
  readonly kind: 'number';
  readonly value: string;
  readonly default?: number;
  readonly min?: number;
  readonly max?: number;
}

export type Flag = SwitchFlag | TextFlag | NumberFlag;

/** Whether the value is a stack: its id, or its nickname, which is replaced by the id before the command runs. */
export const isStackFlag = (flag: Flag): flag is TextFlag =>
  flag.kind === 'text' && flag.complete === 'stack' && !flag.completesOnly;

type Extra<F extends Flag> = Partial<Omit<F, 'name' | 'kind' | 'about'>>;

export const text = (name: string, about: string, extra: Extra<TextFlag> = {}): TextFlag => ({
  value: 'text',
  ...extra,
  kind: 'text',
  name,
  about,
});

export const list = (name: string, about: string, extra: Extra<TextFlag> = {}): TextFlag => ({
  value: 'text',
  ...extra,
  kind: 'list',
  name,
  about,
});

export const number = (name: string, about: string, extra: Extra<NumberFlag> = {}): NumberFlag => ({
  value: 'n',
  ...extra,
  kind: 'number',
  name,
  about,
});

export const toggle = (name: string, about: string, extra: Extra<SwitchFlag> = {}): SwitchFlag => ({
  ...extra,
  kind: 'switch',
  name,
  about,
});

/** The flag `--id`: most commands work on one stack. */
export const stackId = (extra: Extra<TextFlag> = {}): TextFlag =>
  text('id', 'ID or nickname of the stack', {
    value: 'stack id',
    required: true,
    complete: 'stack',
    ...extra,
  });

/** Commands that delete ask on a terminal. Off a terminal nothing is asked, with or without it. */
export const yes: SwitchFlag = toggle('yes', 'do not ask on a terminal', { short: 'y' });

/** Formats of every command that prints a response of the service. */
export const documentFormats: readonly Format[] = ['json', 'raw', 'yaml', 'min'];
export const tableFormats: readonly Format[] = ['table', ...documentFormats];
