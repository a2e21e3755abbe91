const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** `31.5 MB`, in the units of registries and engines: powers of 1000. */
export function sizeText(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10} ${units[power]}`;
}
