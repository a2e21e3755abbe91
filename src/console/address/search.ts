import { useCallback } from 'react';
import { useLocation, useSearch } from 'wouter';

/** Search parameters of the address as a record; empty values are left out of the address. */
export function useSearchValues(): [
  values: Readonly<Record<string, string>>,
  change: (changes: Readonly<Record<string, string | undefined>>) => void,
] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const change = useCallback(
    (changes: Readonly<Record<string, string | undefined>>) => {
      const next = new URLSearchParams(search);
      for (const [name, value] of Object.entries(changes)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      navigate(next.size > 0 ? `${path}?${next.toString()}` : path, { replace: true });
    },
    [search, path, navigate],
  );
  return [Object.fromEntries(new URLSearchParams(search)), change];
}
