/** What a tag refers to. */
export interface TaggedContent {
  readonly tag: string;
  readonly digest: string;
  /** Digests of the manifests below it: the images of an index. */
  readonly parts: readonly string[];
}

export type DeletionTarget =
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'digest'; readonly digest: string; readonly parts: readonly string[] }
  | { readonly kind: 'repository' };

export interface DeletionPlan {
  /** Tags that will no longer exist. */
  readonly tags: readonly string[];
  /** The tag to remove alone, because its content must stay. */
  readonly untag: Pick<TaggedContent, 'tag' | 'digest'> | null;
  /** Manifests to delete, in this order. */
  readonly digests: readonly string[];
  /** Tags that the caller did not name, and that would vanish or lose a platform. */
  readonly others: readonly string[];
}

const unique = <T>(items: readonly T[]): T[] => [...new Set(items)];

/** Also the parts, but none that another tag needs. */
const withParts = (
  digest: string,
  parts: readonly string[],
  kept: readonly TaggedContent[],
): readonly string[] => {
  const needed = new Set(kept.flatMap((each) => [each.digest, ...each.parts]));
  return unique([digest, ...parts.filter((part) => !needed.has(part))]);
};

const uses = (digest: string) => (content: TaggedContent) =>
  content.digest === digest || content.parts.includes(digest);

const nothing: DeletionPlan = { tags: [], untag: null, digests: [], others: [] };

function planTag(contents: readonly TaggedContent[], tag: string): DeletionPlan {
  const content = contents.find((each) => each.tag === tag);
  if (!content) return nothing;
  const kept = contents.filter((each) => each.tag !== tag);
  if (kept.some(uses(content.digest)))
    return { ...nothing, tags: [tag], untag: { tag, digest: content.digest } };
  return { ...nothing, tags: [tag], digests: withParts(content.digest, content.parts, kept) };
}

function planDigest(
  contents: readonly TaggedContent[],
  { digest, parts }: { digest: string; parts: readonly string[] },
): DeletionPlan {
  const tags = contents.filter((each) => each.digest === digest).map(({ tag }) => tag);
  const kept = contents.filter((each) => each.digest !== digest);
  return {
    tags,
    untag: null,
    digests: withParts(digest, parts, kept),
    others: contents.filter(uses(digest)).map(({ tag }) => tag),
  };
}

/** What to ask the registry for, so that exactly the target is deleted. A registry deletes content with all its tags. */
export function planDeletion(contents: readonly TaggedContent[], target: DeletionTarget): DeletionPlan {
  if (target.kind === 'tag') return planTag(contents, target.tag);
  if (target.kind === 'digest') return planDigest(contents, target);
  return {
    ...nothing,
    tags: contents.map(({ tag }) => tag),
    digests: unique([...contents.map(({ digest }) => digest), ...contents.flatMap(({ parts }) => parts)]),
  };
}
