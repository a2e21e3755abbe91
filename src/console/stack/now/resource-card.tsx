import { Link } from 'wouter';
import { addressOf, pages } from '../../address/pages.ts';
import { useSearchValues } from '../../address/search.ts';
import { Button } from '../../parts/acts/button.tsx';
import { Copy } from '../../parts/acts/copy.tsx';
import { Card, Row, Stack } from '../../parts/page/card.tsx';
import { When } from '../../parts/reading/when.tsx';
import type { Resource } from '../../picture/resource.ts';
import { ResourcePill } from '../../picture/resource-list.tsx';
import type { StackNow } from '../data/stack-now.ts';
import styles from './resource-card.module.css';

interface Props {
  stack: StackNow;
  resource: Resource;
  /** Its place in the order of creation, from 1. */
  position: number;
}

const Facts = ({ stack, resource }: Omit<Props, 'position'>) => (
  <dl className={styles.facts}>
    <dt>Type</dt>
    <dd>{resource.type}</dd>
    <dt>Layer</dt>
    <dd>{resource.layer ?? 'whole stack'}</dd>
    {resource.physical_id && (
      <>
        <dt>Id at the vendor</dt>
        <dd>
          <code>{resource.physical_id}</code> <Copy text={resource.physical_id} what="id at the vendor" />
        </dd>
      </>
    )}
    {resource.depends_on.length > 0 && (
      <>
        <dt>Depends on</dt>
        <dd className={styles.links}>
          {resource.depends_on.map((name) => (
            <Link key={name} to={addressOf(pages.stack, { id: stack.id }, { resource: name })} replace>
              {name}
            </Link>
          ))}
        </dd>
      </>
    )}
  </dl>
);

/** The resource that is selected in the picture. */
export const ResourceCard = ({ stack, resource, position }: Props) => {
  const [, change] = useSearchValues();
  const { name, status, status_reason: reason, status_changed_at: at } = resource;
  return (
    <Card
      title={name}
      aside={
        <Button small look="quiet" onClick={() => change({ resource: undefined })}>
          Close
        </Button>
      }
    >
      <Stack>
        <Row>
          <ResourcePill status={status} />
          <span className={styles.reason}>
            {reason} {at && <When at={at} />}
          </span>
        </Row>
        <Facts stack={stack} resource={resource} />
        <Row>
          <Link to={addressOf(pages.events, { id: stack.id }, { resource: name })}>Its events</Link>
          {stack.isSandbox && (
            <Link
              to={addressOf(pages.sandbox, null, {
                stack: stack.id,
                position: String(position),
                resource: name,
              })}
            >
              Fail here next time
            </Link>
          )}
        </Row>
      </Stack>
    </Card>
  );
};
