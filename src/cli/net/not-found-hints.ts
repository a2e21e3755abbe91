/** Each API version knows only its own stacks. Other things that are not found are in no other version either. */
function otherVersionHint(path: string, text: string): string[] {
  const [, version] = /\/(v[23])\/alm\/(?:stack\/[^/]+(?:\/events(?:\/stream)?)?|pem)$/.exec(path) ?? [];
  if (version === undefined || !/"message":\s*"Stack \S+ does not exist/.test(text)) return [];
  const other = version === 'v3' ? 'v2' : 'v3';
  return [`If the stack was created with ${other}: --apiver ${other}`];
}

/** `https://almanac.example.com/v3`: alm adds the version itself. */
function versionInUrlHint({ origin, pathname }: URL): string[] {
  const [, prefix] = /^(.*)\/v[23]\/+v[23]\//.exec(pathname) ?? [];
  return prefix === undefined
    ? []
    : [`The URL must not end with the API version. Use: --url ${origin}${prefix}`];
}

/** What may be wrong where something was not found. */
export const notFoundHints = (url: URL, text: string): string[] => [
  ...versionInUrlHint(url),
  ...otherVersionHint(url.pathname, text),
];
