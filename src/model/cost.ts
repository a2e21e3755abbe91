/** Monthly cost of resources, from the prices of a vendor. Nothing here invents a price: what has none stays unknown. */

export const hoursPerMonth = 730;

/** The prices of one group of products in one region. */
export interface PriceSheet {
  region: string;
  /** The vendor's name of the group, such as AmazonEC2. */
  offer: string;
  currency: string;
  /** The day the vendor published the prices: YYYY-MM-DD. */
  date: string;
  /** Price of one unit by item. A unit is an hour, a GiB for a month, or a month; the item decides. */
  prices: Readonly<Record<string, number>>;
}

/** Units of an item per month, with every group at its minimum and at its maximum size. */
export interface Charge {
  item: string;
  atMinimum: number;
  atMaximum: number;
}

/** What one resource is charged for. */
export interface Billable {
  resource: string;
  resourceType: string;
  charges: readonly Charge[];
}

/** Money per month. */
interface Amount {
  atMinimum: number;
  atMaximum: number;
  /** How much of it has no known price; if it is not `none`, the numbers are what is known. */
  unknown: 'none' | 'part' | 'all';
}

interface ResourceCost {
  resource: string;
  resourceType: string;
  /** Null: the resource does not exist then. */
  before: Amount | null;
  after: Amount | null;
  difference: Amount;
  /** Items without a price. */
  unpriced: string[];
}

export interface CostEstimate {
  currency: string;
  /** The day of the oldest prices used; null: no price was known. */
  date: string | null;
  /** Null: there is no stack yet. */
  before: Amount | null;
  after: Amount;
  difference: Amount;
  resources: ResourceCost[];
}

const isCharged = ({ atMinimum, atMaximum }: Charge): boolean => atMinimum !== 0 || atMaximum !== 0;

/** Adds up the charges of each item. Items that cancel out need no price. */
function combine(charges: readonly Charge[]): Charge[] {
  const sums = new Map<string, Charge>();
  for (const { item, atMinimum, atMaximum } of charges) {
    const sum = sums.get(item) ?? { item, atMinimum: 0, atMaximum: 0 };
    sums.set(item, {
      item,
      atMinimum: sum.atMinimum + atMinimum,
      atMaximum: sum.atMaximum + atMaximum,
    });
  }
  return [...sums.values()].filter(isCharged);
}

const negate = ({ item, atMinimum, atMaximum }: Charge): Charge => ({
  item,
  atMinimum: -atMinimum,
  atMaximum: -atMaximum,
});

const priceOf = (sheets: readonly PriceSheet[], item: string): number | undefined =>
  sheets.find(({ prices }) => Object.hasOwn(prices, item))?.prices[item];

function amountOf(sheets: readonly PriceSheet[], all: readonly Charge[]): Amount {
  const charges = combine(all);
  const priced = charges.flatMap(({ item, atMinimum, atMaximum }) => {
    const price = priceOf(sheets, item);
    return price === undefined ? [] : [{ atMinimum: price * atMinimum, atMaximum: price * atMaximum }];
  });
  const unpriced = charges.length - priced.length;
  const partly = priced.length === 0 ? 'all' : 'part';
  return {
    atMinimum: priced.reduce((sum, { atMinimum }) => sum + atMinimum, 0),
    atMaximum: priced.reduce((sum, { atMaximum }) => sum + atMaximum, 0),
    unknown: unpriced === 0 ? 'none' : partly,
  };
}

type Resources = ReadonlyMap<string, Billable>;

const byName = (billables: readonly Billable[]): Resources =>
  new Map(billables.map((billable) => [billable.resource, billable]));

function costOf(sheets: readonly PriceSheet[], was: Billable | undefined, is: Billable | undefined) {
  const [before, after] = [was?.charges ?? [], is?.charges ?? []];
  const items = combine([...before, ...after]).map(({ item }) => item);
  return {
    resource: is?.resource ?? was?.resource ?? '',
    resourceType: is?.resourceType ?? was?.resourceType ?? '',
    before: was ? amountOf(sheets, before) : null,
    after: is ? amountOf(sheets, after) : null,
    difference: amountOf(sheets, [...after, ...before.map(negate)]),
    unpriced: items.filter((item) => priceOf(sheets, item) === undefined),
  };
}

/** Sheets that price at least one of the charges. */
const sheetsUsed = (sheets: readonly PriceSheet[], charges: readonly Charge[]): PriceSheet[] =>
  sheets.filter(({ prices }) => charges.some(({ item }) => Object.hasOwn(prices, item)));

/** Estimates the resources of a stack in one region. `before`: null for a new stack. */
export function estimateCost(
  sheets: readonly PriceSheet[],
  before: readonly Billable[] | null,
  after: readonly Billable[],
): CostEstimate {
  const [was, is] = [byName(before ?? []), byName(after)];
  const chargesOf = (billables: readonly Billable[]) => billables.flatMap(({ charges }) => charges);
  const [old, next] = [chargesOf(before ?? []), chargesOf(after)];
  const used = sheetsUsed(sheets, [...old, ...next]);
  return {
    currency: (used[0] ?? sheets[0])?.currency ?? 'USD',
    date: used.map(({ date }) => date).toSorted()[0] ?? null,
    before: before ? amountOf(sheets, old) : null,
    after: amountOf(sheets, next),
    difference: amountOf(sheets, [...next, ...old.map(negate)]),
    resources: [...new Set([...is.keys(), ...was.keys()])]
      .map((name) => costOf(sheets, was.get(name), is.get(name)))
      .filter(({ before: earlier, after: later }) => earlier !== null || later !== null),
  };
}
