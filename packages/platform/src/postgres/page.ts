/** One page of a list from newest to oldest: the rows after a given row. */
export interface Page {
  readonly limit: number;
  /** date (ISO 8601) and id of the last row of the previous page */
  readonly after?: { readonly date: string; readonly id: string } | undefined;
}
