import { createHash } from 'node:crypto';
import type { VendorAccess } from '../vendor.ts';

const maxRegions = 1000;

/**
 * Connections with the same access and region share one region, and so its cached reads. If there are too many, the account
 * with most of them gives up the one that it has not used for the longest time: names of regions come from users, and those of
 * one account must not push out the regions of others.
 */
export class RegionCache<Region> {
  readonly #accounts = new Map<string, Map<string, Region>>();
  #size = 0;

  /** `also`: what else decides where a connection leads. */
  get(access: VendorAccess, { name, also }: { name: string; also: string }, make: () => Region): Region {
    const { accountId, credentialId, secret } = access;
    const secretHash = createHash('sha256').update(secret.reveal()).digest('hex');
    const key = [credentialId, secretHash, also, name].join(' ');
    const known = this.#accounts.get(accountId)?.get(key);
    if (!known && this.#size >= maxRegions) this.#dropOne();
    const regions = this.#accounts.get(accountId) ?? new Map<string, Region>();
    const region = known ?? make();
    if (!known) this.#size += 1;
    // Maps keep the order of insertion: the last one is the one used last.
    regions.delete(key);
    this.#accounts.set(accountId, regions.set(key, region));
    return region;
  }

  #dropOne(): void {
    let [largest, most] = ['', new Map<string, Region>()];
    for (const [accountId, regions] of this.#accounts)
      if (regions.size > most.size) [largest, most] = [accountId, regions];
    const [oldest] = most.keys();
    if (oldest === undefined) return;
    most.delete(oldest);
    this.#size -= 1;
    if (most.size === 0) this.#accounts.delete(largest);
  }
}
