import { CallFailed } from '../api/failure.ts';
import { Empty } from '../parts/messages/empty.tsx';

/** There is no such repository, or no registry at all. */
export const isMissing = (error: unknown): error is CallFailed =>
  error instanceof CallFailed && error.status === 404;

/** The words of the service say what to do, if there is something to do. */
export const Missing = ({ error }: { error: CallFailed }) => (
  <Empty title={error.message}>
    {error.body?.description || 'It was deleted, or you may not pull from it.'}
  </Empty>
);

/** Before the first push. */
export const NoImages = () => (
  <Empty title="No images yet" command="alm registry login">
    The registry stores the container images of your stacks. Sign docker in with the command below, then push
    to your own namespace:{' '}
    <code>docker push &lt;registry&gt;/&lt;your name&gt;/&lt;image&gt;:&lt;tag&gt;</code>
  </Empty>
);
