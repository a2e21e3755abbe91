/**
 * The one form of an address of Keystone: without the version of the interface and without a slash at the end, so that two
 * ways to write the same address are equal. Undefined: not such an address. Passwords and tokens do not belong in it.
 */
export function normalAuthUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username || url.password || url.search || url.hash) return undefined;
  const parts = url.pathname.split('/');
  return (
    url.origin + parts.slice(0, parts.findLastIndex((part) => part !== '' && part !== 'v3') + 1).join('/')
  );
}
