import { Failure, type StoreToConfirm } from '../../../basics/failure.ts';
import { choiceFor, type Fate, isDisk } from '../../../data/fates.ts';
import { protectedNames } from '../../../data/protected.ts';
import { adviceFor, sentenceOf, sentencesOf } from '../../../data/sentences.ts';
import type { DataChoice } from '../../../model/data-choice.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import type { ReleaseRow } from '../../../store/data/releases.ts';
import type { Service } from '../../service.ts';

/** What a caller says about data: one choice for all, or one for each store, by its id, the vendor's id or the resource. */
export type DataWish = DataChoice | Readonly<Record<string, DataChoice>>;

export interface DataWord {
  data?: DataWish | undefined;
  /** `replace`: servers may be replaced or removed with what is only on their disks. */
  servers?: 'replace' | undefined;
  /** Servers that this version made in this layer may go: it failed there, and nobody has used them. */
  serversOf?: { version: string; flag: string } | undefined;
  /** Learns what the request releases, if it releases something. */
  onReleased?: ((released: readonly Released[]) => void) | undefined;
}

/** Also for servers that nobody has seen yet. */
export const replacesServers = ({ settings }: Service, { servers }: DataWord = {}): boolean =>
  servers === 'replace' || !settings.asksAboutDisks;

export function wishFor({ store }: Fate, { data, servers, serversOf }: DataWord): DataChoice | undefined {
  const isUnused =
    store.version_id === serversOf?.version && store.name.toLowerCase() === serversOf.flag.toLowerCase();
  if (isDisk(store)) return servers === 'replace' || isUnused ? 'delete' : undefined;
  if (data === undefined || typeof data === 'string') return data;
  return data[store.id] ?? data[store.store_id] ?? data[store.resource];
}

/** A word to keep what the vendor cannot keep releases nothing. */
export const isRelease = (fate: Fate, choice: DataChoice | undefined): choice is DataChoice =>
  choice === 'delete' || (choice === 'keep' && choiceFor(fate) === 'keep');

export interface Released {
  fate: Fate;
  choice: DataChoice;
}

export const holdsData = ({ store }: Fate): boolean => store.state === 'in_use';

export interface Asked {
  fates: readonly Fate[];
  word: DataWord;
  /** The request in words: "The update", "The deletion". */
  what: string;
  /** What the same request said before, if it is repeated. */
  earlier?: readonly ReleaseRow[];
  /** What holds without a word about a store. */
  otherwise?: DataChoice;
}

/**
 * The releases that a request needs; or a refusal that says what becomes of each store and how to go on. Clients that know
 * nothing of this never lose data.
 */
export function releaseOrRefuse(service: Service, asked: Asked): Released[] {
  const { fates, word, what, earlier = [], otherwise } = asked;
  const said = replacesServers(service, word) ? { ...word, servers: 'replace' as const } : word;
  const released: Released[] = [];
  const refused: Fate[] = [];
  for (const fate of fates) {
    const before = earlier.find(({ store }) => store === fate.store.id)?.choice;
    const choice = wishFor(fate, said) ?? before ?? (isDisk(fate.store) ? undefined : otherwise);
    if (isRelease(fate, choice)) released.push({ fate, choice });
    // A store that is being made holds no data: a word about it only counts in case it is ready before the step.
    else if (holdsData(fate)) refused.push(fate);
  }
  if (refused.length === 0) {
    if (released.length > 0) word.onReleased?.(released);
    return released;
  }
  throw new Failure('conflict', `${what} removes data. ${sentencesOf(refused)}`, {
    description: adviceFor(refused),
    stores: refused.map(toConfirm),
  });
}

/** For machines: consoles and command lines ask from this, not from the sentences. */
export const toConfirm = (fate: Fate): StoreToConfirm => {
  const { store, action } = fate;
  const choices = choiceFor(fate) === 'keep' ? (['keep', 'delete'] as const) : (['delete'] as const);
  return {
    id: store.id,
    resource: store.resource,
    resource_type: store.resource_type,
    kind: store.kind,
    store_id: store.store_id,
    action,
    confirm: isDisk(store) ? ['servers=replace'] : choices.map((choice) => `data=${choice}`),
    sentence: sentenceOf(fate),
    sentences: choices.map((choice) => sentenceOf(fate, choice)),
  };
};

/** No parameter confirms the removal of a protected database: an earlier version must take the protection away. */
export function refuseProtected(fates: readonly Fate[], models: readonly StackModel[]): void {
  const names = protectedNames(models);
  const lost = fates
    .filter(holdsData)
    .filter(({ store }) => store.kind === 'database' && names.has(store.name));
  refuseToRemove(lost.map(({ store }) => store.name));
}

/** The same by documents: also for a database that nobody has seen yet. */
export function refuseToRemove(names: readonly string[]): void {
  if (names.length === 0) return;
  throw new Failure(
    'conflict',
    `The deletion of database ${names.join(', ')} is refused: it has deletion_protection`,
    {
      description:
        'Update the stack first, without other changes and without deletion_protection (v2: DeletionProtection).',
    },
  );
}

interface Request {
  intent: string;
  by: string;
  now: number;
}

export const releaseRows = (released: readonly Released[], { intent, by, now }: Request): ReleaseRow[] =>
  released.map(({ fate: { store }, choice }) => ({
    store: store.id,
    intent,
    stack_id: store.stack_id,
    choice,
    released_by: by,
    released_at: now,
  }));

/** The same sentences as in the refusal, about what was decided. */
export const describeReleased = (released: readonly Released[]): string[] =>
  released.filter(({ fate }) => holdsData(fate)).map(({ fate, choice }) => sentenceOf(fate, choice));
