/** The host of a registry as images name it: `registry.example.com:5000`, from an address with or without scheme and path. */
export const hostOf = (address: string): string => {
  const [host = ''] = address
    .trim()
    .replace(/^[a-z][a-z\d+.-]*:\/\//i, '')
    .split('/');
  return host.toLowerCase();
};
