import { Link } from 'wouter';
import type { SuccessOf } from '../../contract/route.ts';
import type { listRepositories } from '../../contract/v3/registry/images.ts';
import { addressOf, pages } from '../address/pages.ts';
import { Table } from '../lists/table.tsx';
import { Button } from '../parts/acts/button.tsx';
import { Copy } from '../parts/acts/copy.tsx';
import { Empty } from '../parts/messages/empty.tsx';
import { Card, Row } from '../parts/page/card.tsx';
import { Pushed } from './pushed.tsx';
import { sizeText } from './size.ts';

type Repository = SuccessOf<typeof listRepositories>[number];
type Tag = NonNullable<Repository['tags']>[string] & { name: string };

const digestLength = 'sha256:'.length + 12;

const UsedBy = ({ tag: { stacks } }: { tag: Tag }) =>
  stacks.length === 0 ? (
    <>–</>
  ) : (
    stacks.map(({ stack_id: id, nickname }) => (
      <div key={id}>
        <Link to={addressOf(pages.stack, { id })}>{nickname || id}</Link>
      </div>
    ))
  );

const columnsWith = (image: string, off: string | undefined, onDelete: (tag: string) => void) => [
  { title: 'Tag', cell: ({ name }: Tag) => <strong>{name}</strong> },
  {
    title: 'Digest',
    cell: ({ digest }: Tag) => (
      <>
        <code title={digest}>{digest.slice(0, digestLength)}</code> <Copy text={digest} what="digest" />
      </>
    ),
  },
  { title: 'Platforms', cell: ({ platforms }: Tag) => platforms.join(', ') || '–' },
  { title: 'Pushed', cell: (tag: Tag) => <Pushed of={tag} /> },
  { title: 'Used by', cell: (tag: Tag) => <UsedBy tag={tag} /> },
  { title: 'Size', end: true, cell: ({ size }: Tag) => sizeText(size) },
  {
    title: '',
    end: true,
    cell: ({ name }: Tag) => (
      <Row>
        <Copy text={`docker pull ${image}:${name}`} what={`pull command of ${name}`} label="docker pull" />
        <Button small off={off} aria-label={`Delete the tag ${name}`} onClick={() => onDelete(name)}>
          Delete
        </Button>
      </Row>
    ),
  },
];

interface TagsProps {
  found: Repository;
  /** Why tags cannot be deleted. */
  off: string | undefined;
  onDelete: (tag: string) => void;
}

export const Tags = ({ found, off, onDelete }: TagsProps) => {
  const tags = Object.entries(found.tags ?? {}).map(([name, tag]): Tag => Object.assign({ name }, tag));
  if (tags.length === 0)
    return (
      <Empty title="No tags">
        Push one: <code>docker push {found.image}:latest</code>
      </Empty>
    );
  return (
    <Card flush title="Tags" aside={`${tags.length}`}>
      <Table
        label="Tags"
        columns={columnsWith(found.image, off, onDelete)}
        rows={tags}
        keyOf={({ name }) => name}
      />
    </Card>
  );
};
