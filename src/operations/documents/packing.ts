import { ownTurn } from '../../basics/clock.ts';
import { Secret } from '../../basics/secret.ts';
import type { Compiled, Placement } from '../../languages/language.ts';
import type { Members } from '../../languages/plain-values.ts';
import { locateInTemplate } from '../../languages/v3-template/locate-problem.ts';
import type { Difference } from '../../model/difference.ts';
import type { StackModel } from '../../model/stack-model.ts';
import type { JobName, JobResult, NewTemplate } from './jobs.ts';

/**
 * Results as plain data. A `Secret` does not survive the copy to another thread, so its value is taken out and wrapped
 * again on the other side. Large parts cross as JSON text, which is the cheapest to copy.
 */
interface Packing<Result, Packed> {
  pack: (result: Result) => Packed;
  unpack: (packed: Packed) => Promise<Result>;
}

interface PackedCompiled {
  model: string;
  document: string;
  secrets: [string, string][];
  keptSecrets: readonly string[];
}

/** One part per turn of the event loop: together, the parts of a large document would delay other requests. */
const parse = async <T>(json: string): Promise<T> => {
  await ownTurn();
  return JSON.parse(json) as T;
};

const compiled: Packing<Compiled, PackedCompiled> = {
  pack: ({ model, document, secrets, keptSecrets }) => ({
    model: JSON.stringify(model),
    document: JSON.stringify(document),
    secrets: [...secrets].map(([name, secret]) => [name, secret.reveal()]),
    keptSecrets,
  }),
  unpack: async ({ secrets, keptSecrets, ...texts }) => {
    // Not frozen, like a model from the store: freezing a large object takes longer than parsing it.
    const model = await parse<StackModel>(texts.model);
    const document = await parse<object>(texts.document);
    return {
      model,
      document,
      secrets: new Map(secrets.map(([name, text]) => [name, new Secret(text)])),
      keptSecrets,
      locate: locateInTemplate(document, model),
    };
  },
};

interface PackedNewTemplate {
  placement: Omit<Placement, 'secret'> & { secret: string | null };
  compiled: PackedCompiled;
  name: NewTemplate['name'];
}

const newTemplate: Packing<NewTemplate, PackedNewTemplate> = {
  pack: ({ placement, compiled: result, name }) => ({
    placement: { ...placement, secret: placement.secret?.reveal() ?? null },
    compiled: compiled.pack(result),
    name,
  }),
  unpack: async ({ placement, compiled: packed, name }) => ({
    placement: { ...placement, secret: placement.secret === null ? null : new Secret(placement.secret) },
    compiled: await compiled.unpack(packed),
    name,
  }),
};

const difference: Packing<Difference, Record<keyof Difference, string>> = {
  pack: ({ added, removed, edited }) => ({
    added: JSON.stringify([...added]),
    removed: JSON.stringify([...removed]),
    edited: JSON.stringify([...edited]),
  }),
  unpack: async ({ added, removed, edited }) => ({
    added: new Map(await parse<[string, unknown][]>(added)),
    removed: new Map(await parse<[string, unknown][]>(removed)),
    edited: new Map(await parse<[string, { before: unknown; after: unknown }][]>(edited)),
  }),
};

const members: Packing<Members, string> = {
  pack: (value) => JSON.stringify(value),
  unpack: (text) => parse<Members>(text),
};

/** The type of the packed form matters only between `pack` and `unpack`. */
interface AnyPacking<Result> {
  pack: (result: Result) => unknown;
  unpack: (packed: unknown) => Promise<Result>;
}

const any = <Result, Packed>({ pack, unpack }: Packing<Result, Packed>): AnyPacking<Result> => ({
  pack,
  unpack: unpack as AnyPacking<Result>['unpack'],
});

export const packings: { readonly [Name in JobName]: AnyPacking<JobResult<Name>> } = {
  newTemplate: any(newTemplate),
  changedTemplate: any(compiled),
  comparedTemplate: any(compiled),
  configurationMembers: any(members),
  differ: any(difference),
};
