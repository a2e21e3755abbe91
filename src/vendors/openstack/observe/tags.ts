/** Tags of a Heat stack: each at most 80 characters, without commas. They are in every list, and change with an accepted update. */
export const ownTag = 'almanac';
const versionTag = 'version=';

export interface StackTags {
  /** Undefined: the stack has no tag of ours. */
  version: string | undefined;
}

export const tagsIn = (tags: readonly string[]): StackTags => ({
  version: tags.find((tag) => tag.startsWith(versionTag))?.slice(versionTag.length),
});

export const tagsFor = (stackId: string, version: string): string =>
  [ownTag, `stack=${stackId}`, `${versionTag}${version}`].join(',');

/** The version in the description of a template. */
export const describeVersion = (description: string, version: string): string =>
  `${description} (version ${version})`;
export const describedVersion = (description: string): string | undefined =>
  /\(version (\S+)\)$/.exec(description)?.[1];
