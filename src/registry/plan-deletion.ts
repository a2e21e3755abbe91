export interface Content {
  readonly digest: string;
  /** Digests of the manifests below it: the images of an index. */
  readonly parts: readonly string[];
}

/** What a tag refers to. */
export interface TaggedContent extends Content {
  readonly tag: string;
}

export type DeletionTarget =
  | { readonly kind: 'tag'; readonly tag: string }
  | ({ readonly kind: 'digest' } & Content)
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

/** Also the parts, but none that is needed by what stays. */
const withParts = ({ digest, parts }: Content, kept: readonly Content[]): readonly string[] => {
  const needed = new Set(kept.flatMap((each) => [each.digest, ...each.parts]));
  return unique([digest, ...parts.filter((part) => !needed.has(part))]);
};

const uses = (digest: string) => (content: Content) =>
  content.digest === digest || content.parts.includes(digest);

const nothing: DeletionPlan = { tags: [], untag: null, digests: [], others: [] };

/** Of what stacks pin: all that is not to be deleted itself. */
const staying = (pinned: readonly Content[], { digest, parts }: Content): Content[] =>
  pinned.filter((each) => each.digest !== digest && !parts.includes(each.digest));

function planTag(contents: readonly TaggedContent[], tag: string, pinned: readonly Content[]): DeletionPlan {
  const content = contents.find((each) => each.tag === tag);
  if (!content) return nothing;
  const kept = [...contents.filter((each) => each.tag !== tag), ...staying(pinned, content)];
  if (kept.some(uses(content.digest)))
    return { ...nothing, tags: [tag], untag: { tag, digest: content.digest } };
  return { ...nothing, tags: [tag], digests: withParts(content, kept) };
}

function planDigest(
  contents: readonly TaggedContent[],
  target: Content,
  pinned: readonly Content[],
): DeletionPlan {
  const { digest } = target;
  const tags = contents.filter((each) => each.digest === digest).map(({ tag }) => tag);
  const kept = [...contents.filter((each) => each.digest !== digest), ...staying(pinned, target)];
  return {
    tags,
    untag: null,
    digests: withParts(target, kept),
    others: contents.filter(uses(digest)).map(({ tag }) => tag),
  };
}

/**
 * What to ask the registry for, so that exactly the target is deleted. A registry deletes content with all its tags. Content that
 * stacks pin by its digest may have no tag; it keeps its parts.
 */
export function planDeletion(
  contents: readonly TaggedContent[],
  target: DeletionTarget,
  pinned: readonly Content[] = [],
): DeletionPlan {
  if (target.kind === 'tag') return planTag(contents, target.tag, pinned);
  if (target.kind === 'digest') return planDigest(contents, target, pinned);
  return {
    ...nothing,
    tags: contents.map(({ tag }) => tag),
    digests: unique([...contents.map(({ digest }) => digest), ...contents.flatMap(({ parts }) => parts)]),
  };
}
