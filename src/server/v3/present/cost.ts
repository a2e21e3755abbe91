import type { Static } from 'typebox';
import type { cost as costSchema } from '../../../contract/v3/cost.ts';
import type { Cost } from '../../../operations/stacks/read/estimate-cost.ts';

type Amount = Extract<Cost, { kind: 'estimated' }>['after'];

const cents = (value: number): number => Math.round(value * 100) / 100;

const presentAmount = ({ atMinimum, atMaximum, unknown }: Amount) => ({
  at_minimum: cents(atMinimum),
  at_maximum: cents(atMaximum),
  unknown,
});

const amountOrNull = (amount: Amount | null) => amount && presentAmount(amount);

export function presentCost(cost: Cost): Static<typeof costSchema> {
  const { kind, notes } = cost;
  if (cost.kind !== 'estimated') return { kind, notes: [...notes] };
  return {
    kind,
    notes: [...notes],
    currency: cost.currency,
    prices_of: cost.date,
    before: amountOrNull(cost.before),
    after: presentAmount(cost.after),
    difference: presentAmount(cost.difference),
    resources: cost.resources.map(({ resource, resourceType, before, after, difference, unpriced }) => ({
      resource,
      resource_type: resourceType,
      before: amountOrNull(before),
      after: amountOrNull(after),
      difference: presentAmount(difference),
      unknown_prices: unpriced,
    })),
  };
}
