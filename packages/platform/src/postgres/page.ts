/** One page of a list that runs from the newest to the oldest: the rows that come after a given one. */
export interface Page {
  readonly limit: number;
  /** the last row of the page before: its date (ISO 8601) and id */
  readonly after?: { readonly date: string; readonly id: string } | undefined;
}
