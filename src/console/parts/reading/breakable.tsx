import { Fragment } from 'react';

/** A name such as `stack:describeStacks` or a path. In a narrow column it breaks after a colon or a slash, not within a word. */
export const Breakable = ({ text }: { text: string }) =>
  text.split(/(?<=[:/])/).map((part, index) => (
    <Fragment key={`${index} ${part}`}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
