import type { PriceSheet } from '../../../model/cost.ts';
import { items } from './items.ts';

/**
 * The few prices that come with Almanac: on-demand, in US dollars, for the defaults in one region. Each is a price that public
 * records quote from the AWS price list with the SKU or usage type in the comment. Everything else is unknown until the operator runs
 * `almanac prices refresh`. Add none without these and a date.
 */
const sheet = (offer: string, date: string, prices: PriceSheet['prices']): PriceSheet => ({
  region: 'us-east-1',
  offer,
  currency: 'USD',
  date,
  prices,
});

export const shipped: readonly PriceSheet[] = [
  sheet('AmazonEC2', '2026-09-01', {
    // CRAJUW7BTXFMT2UJ
    [items.server('t3.micro')]: 0.0104,
    // JG3KUJMBRGHV3N8G
    [items.volume('gp3')]: 0.08,
    // M2YSHUBETB3JX4M4
    [items.natGateway]: 0.045,
  }),
  sheet('AmazonVPC', '2026-08-31', {
    // 4GQUNXTFWVSGPUZK
    [items.publicAddress]: 0.005,
  }),
  sheet('AWSELB', '2026-08-31', {
    // 37CUWUT8GSNQEPUV
    [items.loadBalancer('application')]: 0.0225,
  }),
  sheet('AmazonRDS', '2026-08-31', {
    // usage type InstanceUsage:db.t4g.micro, PostgreSQL
    [items.database('postgres', 'db.t4g.micro', false)]: 0.016,
    // usage type RDS:GP3-Storage, PostgreSQL
    [items.databaseStorage('postgres', 'gp3', false)]: 0.115,
    // SCBZU9XX357QUA4D
    [items.database('postgres', 'db.t4g.medium', true)]: 0.129,
    // J7S7KD4WFDNQWKNX
    [items.databaseStorage('postgres', 'gp3', true)]: 0.23,
  }),
  sheet('AWSSecretsManager', '2026-08-31', {
    // BJ3PQ9BYGU6P632F
    [items.secret]: 0.4,
  }),
  sheet('AmazonCloudWatch', '2026-10-05', {
    // EVETVUGEN3MUTMXM
    [items.alarm]: 0.1,
  }),
];
