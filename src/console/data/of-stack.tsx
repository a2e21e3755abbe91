import { isGone, type StackNow } from '../stack/data/stack-now.ts';
import { StackFrame } from '../stack/frame.tsx';
import { StoreList } from './store-list.tsx';

/** The stores of one stack, also after it was deleted. */
export const DataOfStack = ({ stack }: { stack: StackNow }) => (
  <StoreList stackId={stack.id} {...(isGone(stack) ? { title: 'What is kept' } : {})}>
    {isGone(stack)
      ? 'Nothing is kept of this stack, or nothing matches these filters.'
      : 'This stack has no database, Redis cache, files or fixed server, or none that matches these filters.'}
  </StoreList>
);

const Screen = () => <StackFrame>{(stack) => <DataOfStack stack={stack} />}</StackFrame>;

export default Screen;
