import type { Static } from 'typebox';
import type { cost as costSchema } from '../../../contract/v3/cost.ts';
import type { Output } from '../../view/output.ts';
import type { Table } from '../../view/table.ts';

type Cost = Static<typeof costSchema>;
type Amount = NonNullable<Cost['after']>;

const money = (value: number): string => value.toFixed(2);
const signed = (value: number): string => `${value > 0 ? '+' : ''}${money(value)}`;

/** One number, or the range of auto scaling groups. */
const range = ({ at_minimum: least, at_maximum: most }: Amount, format: (value: number) => string): string =>
  least === most ? format(least) : `${format(least)} to ${format(most)}`;

function amountText(amount: Amount | null | undefined): string {
  if (!amount) return '-';
  if (amount.unknown === 'all') return 'unknown';
  return `${amount.unknown === 'part' ? 'at least ' : ''}${range(amount, money)}`;
}

function differenceText(amount: Amount): string {
  if (amount.unknown === 'all') return 'unknown';
  return `${range(amount, signed)}${amount.unknown === 'part' ? ' and unknown' : ''}`;
}

type Costs = Pick<NonNullable<Cost['resources']>[number], 'before' | 'after' | 'difference'>;

const cells = ({ before, after, difference }: Costs): string[] => [
  amountText(before),
  amountText(after),
  differenceText(difference),
];

const costTable = (cost: Cost, total: Costs): Table => ({
  header: ['COST PER MONTH', 'TYPE', 'BEFORE', 'AFTER', 'DIFFERENCE', 'UNKNOWN PRICES'],
  rows: [
    ...(cost.resources ?? []).map((resource) =>
      [resource.resource, resource.resource_type, cells(resource), resource.unknown_prices.join(', ')].flat(),
    ),
    ['TOTAL', '', ...cells(total), ''],
  ],
});

const summary = ({ currency, prices_of: date }: Cost, { before, after, difference }: Costs): string => {
  const change = before ? `, ${differenceText(difference)} compared with now` : '';
  const prices = date ? `prices of ${date}` : 'no price is known';
  return `Estimated cost per month: ${amountText(after)} ${currency}${change} (${prices}).`;
};

/** The monthly cost of a change in one sentence; null if the service does not say it. */
export function costLine(cost: Cost | undefined): string | null {
  const { before = null, after, difference } = cost ?? {};
  return cost && after && difference ? summary(cost, { before, after, difference }) : null;
}

/** Shows the monthly cost of a change: as a table after the changes, or as one line in other formats. */
export async function showCost(out: Output, cost: Cost | undefined): Promise<void> {
  // Older servers send none.
  if (!cost) return;
  const { before = null, after, difference } = cost;
  if (after && difference) {
    const total = { before, after, difference };
    if (out.format === 'table') {
      out.data('\n');
      await out.table(costTable(cost, total));
    }
    out.info(summary(cost, total));
  }
  if (!after || out.format === 'table') for (const note of cost.notes) out.info(note);
}
