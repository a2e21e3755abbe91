import { Link } from 'wouter';
import { addressOf, pages } from '../address/pages.ts';
import { Button } from '../parts/acts/button.tsx';
import { Copy } from '../parts/acts/copy.tsx';
import { Card, Row } from '../parts/page/card.tsx';
import { Icon } from '../parts/page/icons.tsx';
import { Facts } from '../parts/reading/facts.tsx';
import { When } from '../parts/reading/when.tsx';
import type { Entry } from './entries.ts';

const stackIn = (resource: string): string | undefined => /^mrn:alm:stack:(\S+)$/.exec(resource)?.[1];

const Resource = ({ resource }: { resource: string }) => {
  const id = stackIn(resource);
  return id ? <Link to={addressOf(pages.stack, { id })}>{resource}</Link> : resource;
};

const client = ({ client_id, client_kind }: Entry): string =>
  client_id ? `${client_id} (${client_kind ?? 'unknown kind'})` : '–';

/** All that is recorded about one call. */
export const EntryCard = ({ entry, onClose }: { entry: Entry; onClose: () => void }) => (
  <Card
    title={`Entry ${entry.number}`}
    aside={
      <Row>
        <Copy text={location.href} what="link to the entry" label="Copy link" />
        <Button small look="quiet" aria-label="Close the entry" onClick={onClose}>
          <Icon name="close" size={13} />
        </Button>
      </Row>
    }
  >
    <Facts
      facts={[
        ['When', <When key="when" at={entry.time} />],
        ['Who', `${entry.actor} (${entry.actor_kind})`],
        ['Action', <code key="action">{entry.action}</code>],
        ['On', <Resource key="on" resource={entry.resource} />],
        ['Result', `${entry.decision}, status ${entry.status}`],
        ['Route', <code key="route">{entry.route}</code>],
        ['Signed in through', client(entry)],
        ['Personal access token', entry.token ?? '–'],
        ['Address', entry.address],
        ['Detail', entry.detail ?? '–'],
        ['Request', <code key="request">{entry.request_id}</code>],
        ['Hash', <code key="hash">{entry.hash}</code>],
      ]}
    />
  </Card>
);
