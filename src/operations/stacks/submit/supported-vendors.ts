import { readMeta } from '../../../store/database/meta.ts';
import type { Vendors } from '../../../vendors/index.ts';
import type { Vendor } from '../../../vendors/vendor.ts';
import type { Service } from '../../service.ts';

/** Without the address of a cloud, the vendor cannot be used. */
export const isSetUp = ({ authUrls }: Vendor): boolean => authUrls === undefined || authUrls.urls.length > 0;

const offered = ({ name, builtInCredential }: Vendor): string =>
  builtInCredential ? `${name} (credential ${builtInCredential.id})` : name;

export function unsupported(vendors: Vendors, driver: string): string {
  const setting = vendors.get(driver)?.authUrls?.setting;
  const advice = setting === undefined ? '' : ` until its operator lists clouds in ${setting}`;
  const supported = [...vendors.values()].filter(isSetUp).map(offered).join(', ');
  return `this server does not support vendor ${driver}${advice}; supported: ${supported}`;
}

/** Why the operator does not allow an account to use a vendor; undefined: it may. */
export async function restrictionFor(
  { database, vendors }: Service,
  driver: string,
  accountId: string,
): Promise<string | undefined> {
  const restriction = vendors.get(driver)?.restriction;
  if (!restriction) return undefined;
  const { accounts, message } = restriction;
  if (accounts.includes('*') || accounts.includes(accountId)) return undefined;
  const isFirst = accounts.length === 0 && (await readMeta(database.query, 'first_account')) === accountId;
  return isFirst ? undefined : message;
}
