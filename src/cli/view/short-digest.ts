/** The first characters of a digest, as container tools show them. */
export const shortDigest = (digest: string): string => digest.replace(/^sha256:/, '').slice(0, 12);
