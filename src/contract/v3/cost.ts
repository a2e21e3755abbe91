import { Type } from 'typebox';

const amount = Type.Object(
  {
    at_minimum: Type.Number({ description: 'With every auto scaling group at its minimum size.' }),
    at_maximum: Type.Number({ description: 'With every auto scaling group at its maximum size.' }),
    unknown: Type.Unsafe<'none' | 'part' | 'all'>(
      Type.String({
        enum: ['none', 'part', 'all'],
        description:
          '`part`: some prices are not known, and the numbers are the sum of the others. `all`: no price is known, and the numbers are 0.',
      }),
    ),
  },
  { $id: 'CostAmount', description: 'Money per month, rounded to cents.' },
);

const amountOrNone = (description: string) => Type.Union([amount, Type.Null()], { description });

const resourceCost = Type.Object({
  resource: Type.String({ description: 'Name of the resource in the vendor document.' }),
  resource_type: Type.String(),
  before: amountOrNone('Null if the resource does not exist yet.'),
  after: amountOrNone('Null if the resource is removed.'),
  difference: amount,
  unknown_prices: Type.Array(Type.String(), { description: 'What has no known price.' }),
});

const kinds = ['estimated', 'free', 'simulated', 'unknown'] as const;

/** Members other than `kind` and `notes` are only in estimates. */
export const cost = Type.Object(
  {
    kind: Type.Unsafe<(typeof kinds)[number]>(
      Type.String({
        enum: [...kinds],
        description:
          '`free`: the vendor charges nothing. `simulated`: nothing exists. `unknown`: the vendor has no price list. Only `estimated` has amounts.',
      }),
    ),
    notes: Type.Array(Type.String(), { description: 'What the amounts include and exclude.' }),
    currency: Type.Optional(Type.String({ description: 'Such as USD.' })),
    prices_of: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'Day of the oldest prices used, `YYYY-MM-DD`. Null if no price is known.',
      }),
    ),
    before: Type.Optional(amountOrNone('The current version. Null for a new stack.')),
    after: Type.Optional(amount),
    difference: Type.Optional(amount),
    resources: Type.Optional(
      Type.Array(resourceCost, { description: 'Every resource that is charged for, changed or not.' }),
    ),
  },
  { $id: 'Cost', description: 'Estimated cost per month.' },
);

const known = (monthly: number) => ({ at_minimum: monthly, at_maximum: monthly, unknown: 'none' as const });

export const costExample = {
  kind: 'estimated' as const,
  notes: ['A month has 730 hours.'],
  currency: 'USD',
  prices_of: '2026-09-01',
  before: null,
  after: known(9.99),
  difference: known(9.99),
  resources: [
    {
      resource: 'Instance0Ofweb01',
      resource_type: 'AWS::EC2::Instance',
      before: null,
      after: known(9.99),
      difference: known(9.99),
      unknown_prices: [],
    },
  ],
};
