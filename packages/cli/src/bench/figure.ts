/** One measured number. */
export interface Figure {
  /** stable, for programs: words by dots, such as "presign.t3.total" */
  readonly name: string;
  readonly unit: "ms" | "s" | "MB" | "%" | "count" | "KB";
  readonly value: number;
  /** what a reader sees */
  readonly label: string;
  /** the budget of the design, in the same unit: the value should not be above it */
  readonly budget?: number;
  /** how it was taken, where that is not plain */
  readonly note?: string;
}

/** Figures that were taken the same way. */
export interface Section {
  readonly title: string;
  readonly figures: readonly Figure[];
  /** the numbers of others: shown beside ours, and no data of this run */
  readonly isQuoted?: true;
}
