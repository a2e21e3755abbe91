import { useState } from 'react';
import { useLocation } from 'wouter';
import type { SuccessOf } from '../../contract/route.ts';
import type { listRepositories } from '../../contract/v3/registry/images.ts';
import { addressOf, pages } from '../address/pages.ts';
import { useSearchValues } from '../address/search.ts';
import { useRead } from '../api/read.ts';
import { Button } from '../parts/acts/button.tsx';
import { AsCommand } from '../parts/acts/copy.tsx';
import { Empty } from '../parts/messages/empty.tsx';
import { Stack } from '../parts/page/card.tsx';
import { Page } from '../parts/page/page.tsx';
import { Answer } from '../parts/reading/answer.tsx';
import { Facts } from '../parts/reading/facts.tsx';
import { When } from '../parts/reading/when.tsx';
import { DeleteImage } from './delete-image.tsx';
import { isMissing, Missing } from './no-images.tsx';
import { sizeText } from './size.ts';
import { Tags } from './tags.tsx';
import { Visibility } from './visibility.tsx';

type Repository = SuccessOf<typeof listRepositories>[number];

/** Why the user may not do it; undefined: allowed. */
const offUnless = ({ actions = [] }: Repository, ...needed: ('push' | 'delete')[]): string | undefined => {
  const missing = needed.find((action) => !actions.includes(action));
  return missing && `You do not have permission for registry:${missing} on this repository.`;
};

const About = ({ found }: { found: Repository }) => (
  <Facts
    facts={[
      ['Visibility', found.visibility],
      ['Size', sizeText(found.size)],
      ['Since', <When key="since" at={found.created_at} />],
      ...(found.description ? [['Description', found.description] as const] : []),
    ]}
  />
);

const Shown = ({ found }: { found: Repository }) => {
  const [deleting, setDeleting] = useState<string | null>(null);
  const [, navigate] = useLocation();
  const off = offUnless(found, 'delete');
  const afterwards = (): void => {
    if (deleting === found.repository) navigate(addressOf(pages.images));
    setDeleting(null);
  };
  return (
    <Stack>
      <About found={found} />
      <Tags found={found} off={off} onDelete={(tag) => setDeleting(`${found.repository}:${tag}`)} />
      <div>
        <Visibility
          repository={found.repository}
          visibility={found.visibility}
          off={offUnless(found, 'push', 'delete')}
        />{' '}
        <Button look="danger" off={off} onClick={() => setDeleting(found.repository)}>
          Delete the repository
        </Button>
      </div>
      <AsCommand command={`alm registry describe ${found.repository}`} />
      {deleting && (
        <DeleteImage imageId={deleting} onDeleted={afterwards} onClose={() => setDeleting(null)} />
      )}
    </Stack>
  );
};

const RepositoryScreen = () => {
  const [{ name = '' }] = useSearchValues();
  const query = { targetKey: 'repository', targetValue: name } as const;
  const found = useRead<typeof listRepositories>('/v3/alm/registry', { query }, { enabled: name !== '' });
  return (
    <Page title={name || 'Images'} above={[{ to: addressOf(pages.images), label: 'Images' }]}>
      {name === '' && <Empty title="No repository">The address names none.</Empty>}
      {isMissing(found.error) && <Missing error={found.error} />}
      {name !== '' && !isMissing(found.error) && (
        <Answer of={found} what={`the images of ${name}`}>
          {([repository]) => repository && <Shown found={repository} />}
        </Answer>
      )}
    </Page>
  );
};

export default RepositoryScreen;
