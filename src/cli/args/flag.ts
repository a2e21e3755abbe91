export type ApiVersion = 'v2' | 'v3';
export type Format = 'json' | 'raw' | 'table' | 'yaml' | 'min';

/** What a shell can offer for a value. */
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
  | 'client';

interface FlagBase {
  /** Without the dashes. */
  readonly name: string;
  readonly short?: string;
  /** Other spellings that mean the same. */
  readonly aliases?: readonly string[];
  readonly about: string;
  /** Must be given: always, or with this version of the interface. */
  readonly required?: true | ApiVersion;
  /** Means something with this version of the interface alone. */
  readonly only?: ApiVersion;
  /** Means something only beside this switch. */
  readonly needs?: string;
}

export interface SwitchFlag extends FlagBase {
  readonly kind: 'switch';
  readonly default?: boolean;
}

export interface TextFlag extends FlagBase {
  readonly kind: 'text' | 'list';
  /** What the help calls the value. */
  readonly value: string;
  readonly default?: string;
  readonly choices?: readonly string[];
  readonly complete?: Completion;
}

export interface NumberFlag extends FlagBase {
  readonly kind: 'number';
  readonly value: string;
  readonly default?: number;
  readonly least?: number;
  readonly most?: number;
}

export type Flag = SwitchFlag | TextFlag | NumberFlag;

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

/** Such as `--id`: most commands are about one stack. */
export const stackId = (extra: Extra<TextFlag> = {}): TextFlag =>
  text('id', 'the stack', { value: 'stack id', required: true, complete: 'stack', ...extra });

/** Everything that shows what the service answered can show it in these. */
export const documentFormats: readonly Format[] = ['json', 'raw', 'yaml', 'min'];
export const tableFormats: readonly Format[] = ['table', ...documentFormats];
