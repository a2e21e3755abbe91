import { Link } from 'wouter';
import type { SuccessOf } from '../../contract/route.ts';
import type { listRepositories } from '../../contract/v3/registry/images.ts';
import { addressOf, pages } from '../address/pages.ts';
import { useRead } from '../api/read.ts';
import { Table } from '../lists/table.tsx';
import { AsCommand } from '../parts/acts/copy.tsx';
import { Card } from '../parts/page/card.tsx';
import { Page } from '../parts/page/page.tsx';
import { Answer } from '../parts/reading/answer.tsx';
import { isMissing, Missing, NoImages } from './no-images.tsx';
import { Pushed } from './pushed.tsx';
import { sizeText } from './size.ts';

type Repository = SuccessOf<typeof listRepositories>[number];

const columns = [
  {
    title: 'Repository',
    cell: ({ repository }: Repository) => (
      <Link to={addressOf(pages.image, null, { name: repository })}>{repository}</Link>
    ),
  },
  { title: 'Description', cell: ({ description }: Repository) => description },
  { title: 'Visibility', cell: ({ visibility }: Repository) => visibility },
  { title: 'Pushed', cell: (repository: Repository) => <Pushed of={repository} /> },
  { title: 'Tags', end: true, cell: ({ tag_count }: Repository) => tag_count },
  { title: 'Size', end: true, cell: ({ size }: Repository) => sizeText(size) },
];

const List = ({ rows }: { rows: readonly Repository[] }) => {
  if (rows.length === 0) return <NoImages />;
  return (
    <>
      <Card flush title="Repositories" aside={`${rows.length}`}>
        <Table label="Repositories" columns={columns} rows={rows} keyOf={({ repository }) => repository} />
      </Card>
      <AsCommand command="alm registry catalog" />
    </>
  );
};

const Images = () => {
  const found = useRead<typeof listRepositories>('/v3/alm/registry');
  return (
    <Page title="Images" about="Container images in the registry that you may pull.">
      {isMissing(found.error) ? (
        <Missing error={found.error} />
      ) : (
        <Answer of={found} what="the images">
          {(rows) => <List rows={rows} />}
        </Answer>
      )}
    </Page>
  );
};

export default Images;
