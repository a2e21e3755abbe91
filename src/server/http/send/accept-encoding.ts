export type Encoding = 'br' | 'gzip' | 'identity';

/** The best encoding that the caller accepts. */
export const encodingFor = (accepted: string): Encoding => {
  const named = accepted
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .filter((each) => !/;\s*q=0(\.0*)?$/.test(each))
    .map((each) => each.split(';')[0]?.trim());
  const names = new Set(named);
  return (['br', 'gzip'] as const).find((encoding) => names.has(encoding)) ?? 'identity';
};
