import { isTag } from './image-id.ts';

/** What a layer follows: a repository, and a tag or a range of versions in it. `root/shop:latest`, `root/shop:^1.2`. */
export interface Track {
  /** As written: it may start with the host of the registry. */
  name: string;
  reference: string;
}

type Version = readonly [major: number, minor: number, patch: number];

/** The lowest version of a range, and the first above it; null: there is none. */
interface Range {
  from: Version;
  below: Version | null;
}

const rangePattern = /^([~^]?)v?(\d{1,9}|[x*])(?:\.(\d{1,9}|[x*]))?(?:\.(\d{1,9}|[x*]))?$/;
const versionPattern = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/;

const isOpen = (part: string | undefined): boolean => part === undefined || /^[x*]$/.test(part);

/** What stays the same within the range: 0 nothing, 1 the major version, 2 the minor version too, 3 everything. */
function fixedParts(sign: string, parts: readonly (string | undefined)[]): number {
  const written = parts.findIndex(isOpen);
  const given = written === -1 ? parts.length : written;
  if (sign === '~') return Math.min(given, 2);
  if (sign !== '^') return given;
  const firstNonZero = parts.findIndex((part) => part !== '0');
  return firstNonZero === -1 ? given : Math.min(given, firstNonZero + 1);
}

/** Null: it is a tag. A sign or an open part makes a range: `1.2` is a tag, `1.2.x` a range. */
function parseRange(text: string): Range | null {
  const [, sign = '', ...parts] = rangePattern.exec(text) ?? [];
  if (parts.length === 0 || (sign === '' && !/[x*]/.test(text))) return null;
  const number = (index: number): number => (isOpen(parts[index]) ? 0 : Number(parts[index]));
  const from: Version = [number(0), number(1), number(2)];
  const [major, minor, patch] = from;
  const above: readonly (Version | null)[] = [
    null,
    [major + 1, 0, 0],
    [major, minor + 1, 0],
    [major, minor, patch + 1],
  ];
  return { from, below: above[fixedParts(sign, parts)] ?? null };
}

/** Null: the tag is not a released version, such as `latest` or `1.2.0-rc.1`. */
const parseVersion = (tag: string): Version | null => {
  const [, major, minor, patch] = versionPattern.exec(tag) ?? [];
  return major === undefined ? null : [Number(major), Number(minor), Number(patch)];
};

const compareVersions = (one: Version, other: Version): number =>
  one[0] - other[0] || one[1] - other[1] || one[2] - other[2];

/** Null: it is none. */
export function parseTrack(text: string): Track | null {
  const [, name = '', reference = ''] = /^([^\s@]+):([^\s:/@]+)$/.exec(text) ?? [];
  if (name === '' || (!isTag(reference) && parseRange(reference) === null)) return null;
  return { name, reference };
}

/** Whether a push of the tag concerns who follows the reference. */
export function follows(reference: string, tag: string): boolean {
  const range = parseRange(reference);
  const version = parseVersion(tag);
  if (!range) return reference === tag;
  if (!version || compareVersions(version, range.from) < 0) return false;
  return range.below === null || compareVersions(version, range.below) < 0;
}

/** What a reference means now: its tag, or the newest version of its range. */
export function newestOf<Image extends { tag: string }>(
  reference: string,
  images: readonly Image[],
): Image | undefined {
  const zero: Version = [0, 0, 0];
  return images
    .filter(({ tag }) => follows(reference, tag))
    .toSorted((one, other) =>
      compareVersions(parseVersion(other.tag) ?? zero, parseVersion(one.tag) ?? zero),
    )[0];
}

/** Versions go forward only: whether the change from one tag to the other would go back. */
export function isOlder(tag: string, present: string | null): boolean {
  const [version, before] = [parseVersion(tag), parseVersion(present ?? '')];
  return version !== null && before !== null && compareVersions(version, before) < 0;
}
