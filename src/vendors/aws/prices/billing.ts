import { hoursPerMonth } from '../../../model/cost.ts';
import type { Billing } from '../../billing.ts';
import type { AwsDocument } from '../document.ts';
import { billables } from './billables.ts';
import { readPriceList } from './price-list.ts';
import { shipped } from './shipped.ts';

export const billing: Billing = {
  kind: 'priced',
  shipped,
  assumptions: [
    `A month has ${hoursPerMonth} hours. Servers run Linux on demand, without reservations, savings plans, discounts and taxes.`,
    'The first amount has every group at its minimum size, the second at its maximum size.',
    'Traffic, requests and what load balancers and NAT gateways process are not included.',
    'CPU credits, snapshots, backups beyond the size of a database, and the extended support of old database versions are not included.',
    'Spot instances have no fixed price: theirs is unknown.',
    'Networks, security groups, key pairs, roles and launch templates are free.',
  ],
  billables: (document) => billables(document as AwsDocument),
  readPriceList,
};
