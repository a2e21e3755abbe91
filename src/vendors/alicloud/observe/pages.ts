/** What services answer about the page that they gave. RDS has another name for the number of all rows. */
export interface PageAnswer {
  TotalCount?: number;
  TotalRecordCount?: number;
  PageSize?: number;
}

/** Whether there is no page after this one. A service may give fewer rows in a page than requested: then it says so. */
export function isLastPage(
  { TotalCount, TotalRecordCount, PageSize }: PageAnswer,
  rows: readonly unknown[],
  { page, size }: { page: number; size: number },
): boolean {
  const total = TotalCount ?? TotalRecordCount;
  if (rows.length === 0) return true;
  return total === undefined ? rows.length < size : page * (PageSize || rows.length) >= total;
}
