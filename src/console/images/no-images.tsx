import { CallFailed } from '../api/failure.ts';
import { Empty } from '../parts/empty.tsx';

/** A server without a registry answers 404; its own words say what to do. */
export const hasNoRegistry = (error: unknown): error is CallFailed =>
  error instanceof CallFailed && error.status === 404;

export const NoRegistry = ({ error }: { error: CallFailed }) => (
  <Empty title="No container registry">{error.body?.description ?? error.message}</Empty>
);

/** Before the first push. */
export const NoImages = () => (
  <Empty title="No images yet" command="alm registry login">
    The registry stores the container images of your stacks. Sign docker in with the command below, then push
    to your own namespace:{' '}
    <code>docker push &lt;registry&gt;/&lt;your name&gt;/&lt;image&gt;:&lt;tag&gt;</code>
  </Empty>
);
