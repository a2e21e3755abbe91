import { When } from '../parts/reading/when.tsx';

/** When and by whom; pushes that no notification reported are not known. */
export const Pushed = ({ of: { pushed_at: at, pushed_by: by } }: { of: Push }) =>
  at === null ? (
    <>not known</>
  ) : (
    <>
      <When at={at} />
      {by && <> by {by}</>}
    </>
  );

interface Push {
  pushed_at: string | null;
  pushed_by: string;
}
