import { useMemo } from 'react';
import type { readConfigurationSchema } from '../../contract/v2/configuration-schema.ts';
import type { readTemplateSchema } from '../../contract/v3/cloud/template-schema.ts';
import type { credentialRoutes } from '../../contract/v3/credentials.ts';
import { useRead } from '../api/read.ts';
import { type Schema, withVendors } from '../editor/schema.ts';

type ListCredentials = (typeof credentialRoutes)[0];
export type Credentials = Readonly<Record<string, readonly { id: string; account: string }[]>>;

export const useCredentials = (): Credentials => useRead<ListCredentials>('/v3/credentials').data ?? {};

const once = { staleTime: Number.POSITIVE_INFINITY };

/** The schema of the parameters of API v2. */
export const useConfigurationSchema = (): Schema | null =>
  useRead<typeof readConfigurationSchema>('/v2/alm/configuration/schema', undefined, once).data ?? null;

/** The schema of templates, with the credentials of the account as the words of `cred`. */
export function useTemplateSchema(credentials: Credentials): Schema | null {
  const { data } = useRead<typeof readTemplateSchema>('/v3/alm/template/schema', undefined, once);
  return useMemo(() => {
    if (!data) return null;
    const ids = Object.entries(credentials).map(
      ([vendor, entries]) => [vendor, entries.map(({ id }) => id)] as const,
    );
    return withVendors(data, { aws: [], docker: [], ...Object.fromEntries(ids) });
  }, [data, credentials]);
}
